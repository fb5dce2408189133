// An authority for one test, and certificates of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its key, as PEM text. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Makes certificates in a folder, with `openssl`. */
export function createAuthority(folder: string): {
  ca: string;
  sign(name: string, address?: string): Certificate;
  /** One that was valid for a day, years ago. */
  signExpired(name: string): Certificate;
} {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...CURVE,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.crt'),
    '-days',
    '2',
    '-subj',
    '/CN=test',
  );
  const ca = readFileSync(at('ca.crt'), 'utf8');
  return {
    ca,
    sign(name, address = '127.0.0.1') {
      const [key, request, cert, extra] = ['key', 'csr', 'crt', 'ext'].map((end) => at(`${name}.${end}`)) as [
        string,
        string,
        string,
        string,
      ];
      writeFileSync(extra, `subjectAltName=IP:${address}\n`);
      openssl('req', ...CURVE, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
      const signed = ['-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
      openssl('x509', '-req', '-in', request, ...signed, '-extfile', extra, '-out', cert);
      return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    },
    signExpired(name) {
      const [key, request, cert] = ['key', 'csr', 'crt'].map((end) => at(`${name}.${end}`)) as [
        string,
        string,
        string,
      ];
      const place = at('issued');
      mkdirSync(place);
      writeFileSync(join(place, 'index.txt'), '');
      // The only command of OpenSSL that takes dates of the past, in all of its versions.
      writeFileSync(
        at('ca.cnf'),
        `[ca]
default_ca = own
[own]
database = ${join(place, 'index.txt')}
new_certs_dir = ${place}
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = IP:127.0.0.1
`,
      );
      openssl('req', ...CURVE, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
      const signed = ['-batch', '-config', at('ca.cnf'), '-cert', at('ca.crt'), '-keyfile', at('ca.key')];
      const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
      openssl('ca', ...signed, ...dates, '-notext', '-in', request, '-out', cert);
      return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    },
  };
}

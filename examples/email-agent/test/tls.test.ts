// Encrypted connections to servers that others wrote, with a certificate of our own: Dovecot, and aiosmtpd as SMTP server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before as beforeAll, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startSink } from '../demo/mail-servers.ts';
import * as servers from './support/mail-servers.ts';
import { createFolder } from './support/office.ts';

const dovecot = servers.findServer('dovecot', 'dovecot-imapd');
const aiosmtpd = servers.findServer('aiosmtpd', 'python3-aiosmtpd');

/** What a process with this trust is told by the two servers. */
async function use(imap: string, smtp: string, trusted?: string): Promise<Record<string, string>> {
  const program = ['--import', 'jiti/register', join(import.meta.dirname, 'support', 'use-tls.ts')];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted ?? '' };
  const { stdout } = await promisify(execFile)(process.execPath, [...program, imap, smtp], { env });
  return JSON.parse(stdout) as Record<string, string>;
}

if (!dovecot || !aiosmtpd) test('over TLS', { skip: 'dovecot or aiosmtpd is not installed' });
else
  describe('over TLS', () => {
    const folder = createFolder();
    const tls = servers.createCertificate(folder.path);
    const files = (kind: string) => [`--${kind}cert`, tls.cert, `--${kind}key`, tls.key];
    let imap: Awaited<ReturnType<typeof servers.startEncryptedDovecot>>;
    const smtp: Awaited<ReturnType<typeof servers.startSmtp>>[] = [];
    beforeAll(async () => {
      imap = await servers.startEncryptedDovecot(dovecot, tls);
      for (const kind of ['smtps', 'tls']) smtp.push(await servers.startSmtp(aiosmtpd, files(kind)));
    });
    after(async () => {
      await Promise.all([imap, ...smtp].map((server) => server.close()));
      folder[Symbol.dispose]();
    });

    test('Mail is read and sent with TLS from the start, and with STARTTLS', async () => {
      const [implicit, startTls] = smtp;
      const both = await Promise.all([
        use(imap.implicit, `smtps://${implicit?.at}`, tls.cert),
        use(imap.startTls, `smtp://${startTls?.at}`, tls.cert),
      ]);
      const fine = { imap: 'Encrypted', smtp: 'sent' };
      assert.deepEqual(both, [fine, fine]);
      for (const server of smtp) assert.match(server.received().join(), /Subject: Encrypted/);
    });

    test('A certificate that is not trusted is a clear error, and nothing is sent', async () => {
      const [implicit, startTls] = smtp;
      const received = () => smtp.map((server) => server.received().length);
      const before = received();
      const told = await Promise.all([
        use(imap.implicit, `smtps://${implicit?.at}`),
        use(imap.startTls, `smtp://${startTls?.at}`),
      ]);
      for (const each of told.flatMap((one) => Object.values(one)))
        assert.match(
          each,
          /^The certificate of 127\.0\.0\.2:\d+ is not trusted: self-signed .* NODE_EXTRA_CA_CERTS$/,
        );
      assert.deepEqual(received(), before);
    });

    test('Outside this machine, a server without encryption gets neither a password nor a mail', async () => {
      using data = createFolder();
      const mails: string[] = [];
      const sink = await startSink(data.path, (raw) => mails.push(raw), '127.0.0.2');
      const plain = await servers.startEmbedded('127.0.0.2');
      const told = await use(plain.url.href, sink.url, tls.cert);
      assert.match(told['imap'] ?? '', /STARTTLS/i);
      assert.match(told['smtp'] ?? '', /STARTTLS/i);
      assert.deepEqual(mails, []);
      await Promise.all([sink.close(), plain.close()]);
    });
  });

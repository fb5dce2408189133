// Is the advice for a TLS connection that fails one that helps?
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlain, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectCli } from '../src/home/connect-cli.js';
import type { RemoteTls } from '../src/home/connect-options.js';
import { explainTlsFailure } from '../src/home/explain-tls.js';
import { createAuthority } from '../../../test/support/certificates.js';

let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-test-'));
});

afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function fail(to: Server, tls: RemoteTls | true): Promise<unknown> {
  server = to;
  await new Promise<void>((resolve) => to.listen(0, '127.0.0.1', resolve));
  const { port } = to.address() as AddressInfo;
  const { transport } = connectCli({ port, tls, token: 'a-token-for-this-test' });
  try {
    await transport({ args: [], env: {}, cwd: '.' });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a connection over TLS that fails', () => {
  it('names the authority where the certificate is of an unknown one', async () => {
    const own = createAuthority(folder).sign('host');
    expect(await fail(createServer(own), true)).toMatchObject({
      code: 'REMOTE_NOT_SECURE',
      message: expect.stringMatching(/is not trusted here: .*"tls: \{ ca \}"/) as string,
    });
  });

  it('names "servername" where the certificate is for another name', async () => {
    const authority = createAuthority(folder);
    const own = authority.sign('host', '10.0.0.1');
    expect(await fail(createServer(own), { ca: authority.ca })).toMatchObject({
      code: 'REMOTE_NOT_SECURE',
      message: expect.stringMatching(/is for another name: .*"tls: \{ servername \}"/) as string,
    });
  });

  it('says that a certificate has expired, and does not ask for an authority', async () => {
    const authority = createAuthority(folder);
    const error = await fail(createServer(authority.signExpired('old')), { ca: authority.ca });
    expect(error).toMatchObject({
      code: 'REMOTE_NOT_SECURE',
      message: expect.stringMatching(/has expired: .*\(CERT_HAS_EXPIRED\)\. Renew it/) as string,
    });
    expect((error as Error).message).not.toContain('ca }');
  });

  it('says where nobody speaks TLS', async () => {
    const plain = createPlain((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end('no TLS here, but words'));
    });
    expect(await fail(plain, true)).toMatchObject({
      code: 'REMOTE_PROTOCOL',
      message: expect.stringContaining('does not speak TLS') as string,
    });
  });

  it('says that its own certificates cannot be used', async () => {
    const own = createAuthority(folder).sign('host');
    expect(await fail(createServer(own), { cert: own.cert, key: 'no key' })).toMatchObject({
      code: 'REMOTE_NOT_SECURE',
      message: expect.stringContaining('The certificates of connectCli() cannot be used') as string,
    });
  });
});

describe('explainTlsFailure()', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'REMOTE_NOT_SECURE', 'Renew it'],
    ['CERT_NOT_YET_VALID', 'REMOTE_NOT_SECURE', 'Check the clocks'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'REMOTE_NOT_SECURE', 'servername'],
    ['HOSTNAME_MISMATCH', 'REMOTE_NOT_SECURE', 'servername'],
    ['CERT_REVOKED', 'REMOTE_NOT_SECURE', 'needs another one'],
    ['INVALID_PURPOSE', 'REMOTE_NOT_SECURE', 'needs another one'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'REMOTE_NOT_SECURE', '"tls: { ca }"'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'REMOTE_NOT_SECURE', '"tls: { ca }"'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'REMOTE_NOT_SECURE', '"tls: { ca }"'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'REMOTE_NOT_SECURE', 'must send its certificate'],
    ['CERT_UNTRUSTED', 'REMOTE_NOT_SECURE', '"tls: { ca }"'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'REMOTE_REFUSED', '"tls: { cert, key }"'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'REMOTE_REFUSED', '"tls: { cert, key }"'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'REMOTE_REFUSED', '"tls: { cert, key }"'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'REMOTE_REFUSED', '"tls: { cert, key }"'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'REMOTE_PROTOCOL', 'TLS 1.2'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'REMOTE_PROTOCOL', 'TLS 1.2'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'REMOTE_PROTOCOL', 'does not speak TLS'],
  ])('knows what to do about %s', (code, fault, advice) => {
    const cause = Object.assign(new Error('so says OpenSSL'), { code });
    const error = explainTlsFailure('build.example:7400', cause);
    expect(error).toMatchObject({ code: fault, cause });
    expect(error?.message).toContain(advice);
    expect(error?.message).toContain(code);
  });

  it('leaves to others what is not about TLS', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', undefined])
      expect(explainTlsFailure('x', Object.assign(new Error('no'), { code }))).toBeUndefined();
    expect(explainTlsFailure('x', undefined)).toBeUndefined();
  });
});

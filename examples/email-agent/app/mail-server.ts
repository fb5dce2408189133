// Where a mail server is, as its address says; delivery; and what is wrong when a server does not show that it is the right one.
import { createTransport, type SendMailOptions } from 'nodemailer';

/** The facts of an address such as `imaps://user:password@imap.example.org`. Outside this machine nothing goes unencrypted. */
export function readAddress(url: URL, ports: { plain: number; encrypted: number }) {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol.endsWith('s:');
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const isHere = ['127.0.0.1', '::1', 'localhost'].includes(host);
  const port = Number(url.port) || (secure ? ports.encrypted : ports.plain);
  return { host, port, secure, auth, mustUpgrade: !secure && !isHere };
}

/** Says what to do about a certificate that is not trusted; other errors stay as they are. */
export function explainTls(error: unknown, { host }: URL): Error {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!/certificate|altname|\bCERT/i.test(`${code} ${message}`)) return error as Error;
  const advice = 'If it is your own, name the file of your authority in NODE_EXTRA_CA_CERTS';
  return new Error(`The certificate of ${host} is not trusted: ${message}. ${advice}`, { cause: error });
}

/** Hands a mail to the server that sends it; outside this machine never without encryption. */
export async function deliver(url: URL, mail: SendMailOptions): Promise<void> {
  const { mustUpgrade, auth, ...place } = readAddress(url, { plain: 587, encrypted: 465 });
  const transport = createTransport({ ...place, requireTLS: mustUpgrade, ...(auth.user && { auth }) });
  await transport.sendMail(mail).catch((error: unknown) => {
    throw explainTls(error, url);
  });
}

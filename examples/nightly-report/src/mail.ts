// Sends a mail: to the server in SMTP_URL, or to one of our own on loopback that keeps it as a file.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { SMTPServer } from 'smtp-server';

const { REPORT_FROM: from = 'nightly@example.org', REPORT_TO: to = 'operations@example.org' } = process.env;

/** Where the mail went, in words. Rejects when nobody takes it. */
export async function sendMail(mail: SendMailOptions, folder: string): Promise<string> {
  const send = (url: string) => createTransport(url).sendMail({ from, to, ...mail });
  const { SMTP_URL } = process.env;
  if (SMTP_URL) return send(SMTP_URL).then(() => `sent to ${to}`);
  const file = join(folder, 'mails', `${Date.now()}.eml`);
  const sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (data, _session, done) => pipeline(data, createWriteStream(file), done),
  });
  await once(sink.listen(0, '127.0.0.1'), 'listening');
  const { port } = sink.server.address() as AddressInfo;
  await send(`smtp://127.0.0.1:${port}`).finally(() => sink.close());
  return `kept as ${file}; with SMTP_URL it goes to ${to}`;
}

// What stands in for the world: a mailbox inside this process, filled with the mails of this folder, and an SMTP server that
// delivers nothing. Both on loopback, with a free port.
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { callbackify } from 'node:util';
import hoodiecrow from 'hoodiecrow-imap';
import { SMTPServer } from 'smtp-server';

const MAILS = import.meta.dirname;

/** The mails of a folder. Without a Date they come from now, so that a demonstration is never old. */
function readMails(folder: string): string[] {
  const names = readdirSync(join(MAILS, folder)).sort();
  return names.map((name) => readFileSync(join(MAILS, folder, name), 'utf8').replace(/\r?\n/g, '\r\n'));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** A mailbox in memory. `arrive` lets the next of the mails come that are kept back. */
export async function startDemoMailbox() {
  const ages = [26, 20, 8, 5, 3, 1];
  const messages = readMails('inbox').map((raw, index) => {
    const internaldate = new Date(Date.now() - (ages[index] ?? 1) * 3_600_000);
    return {
      raw: `Date: ${internaldate.toUTCString()}\r\n${raw}`,
      internaldate,
      flags: index < 3 ? ['\\Seen'] : [],
    };
  });
  // A new number at each start: mails are numbered anew, and clients must not take them for those of the last time.
  const uidvalidity = Math.floor(Date.now() / 1000);
  const imap = hoodiecrow({
    plugins: ['ID', 'IDLE', 'LITERALPLUS', 'SASL-IR', 'SPECIAL-USE', 'UNSELECT'],
    users: { bo: { password: 'secret' } },
    storage: {
      INBOX: { uidvalidity, messages },
      '': { separator: '/', folders: { Sent: { 'special-use': '\\Sent' }, Invoices: {}, Archive: {} } },
    },
  });
  const sockets = new Set<Socket>();
  imap.server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  imap.listen(0, '127.0.0.1', () => {});
  await once(imap.server, 'listening');
  const waiting = readMails('arriving');
  let arrived = 0;
  const deliver = (raw: string): void => imap.appendMessage('INBOX', [], new Date(), raw);
  return {
    url: new URL(`imap://bo:secret@127.0.0.1:${portOf(imap.server)}`),
    deliver,
    arrive(): void {
      const raw = waiting[arrived++ % waiting.length] ?? '';
      deliver(`Date: ${new Date().toUTCString()}\r\n${raw.replace(/^(Message-ID: <)/im, `$1${arrived}.`)}`);
    },
    async close(): Promise<void> {
      imap.server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Takes every mail, and keeps it as a file instead of delivering it. */
export async function startSink(
  folder: string,
  onMail: (raw: string, to: string[]) => void,
  host = '127.0.0.1',
) {
  mkdirSync(folder, { recursive: true });
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const keep = async () => {
        const raw = Buffer.concat((await stream.toArray()) as Buffer[]).toString('utf8');
        writeFileSync(join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}.eml`), raw);
        const to = session.envelope.rcptTo.map(({ address }) => address);
        onMail(raw, to);
      };
      callbackify(keep)((error) => done(error));
    },
  });
  smtp.listen(0, host);
  await once(smtp.server, 'listening');
  const url = `smtp://${host}:${portOf(smtp.server)}`;
  return { url, close: () => new Promise<void>((resolve) => smtp.close(resolve)) };
}

// Puts the parts together by what the environment says, and takes them apart again at Ctrl-C.
import { EventEmitter, once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createApprovals, createFileApprovalStore } from 'inboard';
import { startOffline } from 'inboard/testing';
import { startDemoMailbox, startSink } from '../demo/mail-servers.ts';
import { answer } from '../demo/script.ts';
import { listeners } from '../listeners.ts';
import { createAgent } from './agent.ts';
import { openMailbox } from './mailbox.ts';
import { createNewMail } from './new-mail.ts';
import { createServer } from './server.ts';

const { PORT = '4321', DATA_DIR = 'data', IMAP_URL, SMTP_URL, MAIL_ADDRESS, ANTHROPIC_API_KEY } = process.env;
const [data, folder] = [resolve(DATA_DIR), resolve(DATA_DIR, 'mail')];
const demo = IMAP_URL ? undefined : await startDemoMailbox();
if (demo) rmSync(folder, { recursive: true, force: true }); // the demonstration begins anew each time
mkdirSync(folder, { recursive: true, mode: 0o700 });
const url = demo?.url ?? new URL(IMAP_URL ?? '');
const address = MAIL_ADDRESS ?? (demo ? 'bo@inboard.example' : decodeURIComponent(url.username));
const sink = SMTP_URL
  ? undefined
  : await startSink(`${folder}/outbox`, (raw, to) => to.includes(address) && demo?.deliver(raw));
const offline = ANTHROPIC_API_KEY
  ? undefined
  : await startOffline({ onExhausted: answer }, { folder: `${data}/cli` });

const changes = new EventEmitter().setMaxListeners(0); // one for each page
const approvals = createApprovals({ store: createFileApprovalStore(`${folder}/drafts`) });
const desk = { mailbox: openMailbox(url), approvals, smtpUrl: SMTP_URL ?? sink?.url ?? '', address };
const agent = createAgent(desk, offline?.options ?? { cwd: folder });
const onChange = () => changes.emit('change', 'mails');
const newMail = createNewMail({ url, agent, listeners, file: `${folder}/seen.json`, onChange });
const about = {
  address,
  model: offline ? 'a script, because there is no ANTHROPIC_API_KEY' : 'Claude',
  mailbox: demo ? 'a demonstration, because there is no IMAP_URL' : url.host,
  sending: sink
    ? `to the folder ${folder}/outbox, because there is no SMTP_URL`
    : `by ${new URL(desk.smtpUrl).host}`,
  canArrive: Boolean(demo),
};
const app = createServer({
  desk,
  agent,
  newMail,
  changes,
  about,
  arrive: demo && (() => demo.arrive()),
});
const server = createAdaptorServer(app).listen(Number(PORT), '127.0.0.1');
const end = new AbortController();
try {
  await once(server, 'listening');
  console.log(
    `The model is ${about.model}.\nThe mailbox is ${about.mailbox}.\nMail is sent ${about.sending}.`,
  );
  console.log(`The page is at http://127.0.0.1:${PORT}`);
  process.once('SIGINT', () => end.abort()).once('SIGTERM', () => end.abort());
  const drafts = (async () => {
    for await (const _ of approvals.watch({ signal: end.signal })) changes.emit('change', 'drafts');
  })();
  await Promise.all([drafts, newMail.watch(end.signal)]);
} catch (error) {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  console.error(isTaken ? `Port ${PORT} is taken; choose another with PORT=… npm start` : error);
  process.exitCode = 1;
}
server.close();
if ('closeAllConnections' in server) server.closeAllConnections();
await agent.close();
approvals.close();
await desk.mailbox.close(); // before its server
await Promise.all([sink?.close(), demo?.close(), offline?.close({ verify: false })]);

// Puts the parts together, and takes them apart again at Ctrl-C.
import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { createApprovals, createFileApprovalStore } from 'inboard';
import { openMailbox } from '../app/mailbox.ts';
import { openWorld } from '../demo/open-world.ts';
import { listeners } from '../listeners.ts';
import { servePage } from '../page/server.ts';
import { createAgent } from './agent.ts';
import { createNewMail } from './new-mail.ts';

const { PORT = '4321', DATA_DIR = 'data' } = process.env;
const world = await openWorld(resolve(DATA_DIR));
const { folder, url, smtpUrl, address, about, arrive } = world;
const changes = new EventEmitter().setMaxListeners(0); // one for each page
const approvals = createApprovals({ store: createFileApprovalStore(`${folder}/drafts`) });
const desk = { mailbox: openMailbox(url), approvals, smtpUrl, address };
const agent = createAgent(desk, world.options);
const onChange = () => changes.emit('change');
const newMail = createNewMail({ url, agent, listeners, file: `${folder}/seen.json`, onChange });
const end = new AbortController();
try {
  using page = await servePage(Number(PORT), { desk, agent, newMail, changes, about, arrive });
  console.log(`The model is ${about.model}.\nThe mailbox is ${about.mailbox}.`);
  console.log(`Mail is sent ${about.sending}.\nThe page is at ${page.url}`);
  process.once('SIGINT', () => end.abort()).once('SIGTERM', () => end.abort());
  void agent.recover(newMail.state().runs).then(onChange, console.error);
  await newMail.watch(end.signal);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await agent.close();
approvals.close();
await desk.mailbox.close(); // before its server
await world.close();

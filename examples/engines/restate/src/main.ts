// A support desk on Restate, in one process: it serves conversations, sends a message, asks here what a person has to decide, and prints
// the answer. Kill it at any time, and start it again with the same words: the turn goes on.
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '@restatedev/restate-sdk';
import { connect, rpc } from '@restatedev/restate-sdk-clients';
import { allow, deny } from 'inboard';
import { createPostgresLedger } from 'inboard/durable/postgres';
import { conversations, type ConversationHandlers } from 'inboard/restate';
import { createSupport } from '../../support/agent.ts';
import { startScript } from '../../support/offline.ts';

const words = process.argv.slice(2).filter((word) => word !== '--offline');
const [content = 'My order A-102 has not come.', id = 'message-1'] = words;
const { DATABASE_URL, RESTATE_ADMIN = 'http://localhost:9070', PORT = '9080' } = process.env;
if (!DATABASE_URL)
  throw new Error('Say in DATABASE_URL where PostgreSQL is, as in postgres://localhost/desk.');

const offline = process.argv.includes('--offline') ? await startScript() : undefined;
const agents = { support: createSupport(offline?.options) };
const service = await conversations({ agents, ledger: createPostgresLedger(DATABASE_URL) });
await serve({ services: [service], port: Number(PORT) });
const registered = await fetch(`${RESTATE_ADMIN}/deployments`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ uri: `http://localhost:${PORT}` }),
});
if (!registered.ok) throw new Error(`Restate does not take this program: ${await registered.text()}`);

const restate = connect({ url: process.env['RESTATE_INGRESS'] ?? 'http://localhost:8080' });
const chat = restate.objectClient<ConversationHandlers>({ name: 'conversations' }, 'customer-7');
// If this message was sent before, it waits for the same outcome.
const outcome = chat.turn({ agent: 'support', id, content }, rpc.opts({ idempotencyKey: id }));
const over = new AbortController();
const end = () => over.abort();
void outcome.then(end, end);
const terminal = createInterface({ input: process.stdin, output: process.stdout });
// A terminal that waits for words keeps Ctrl-C for itself.
terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
const asked = new Set<string>();
while (!over.signal.aborted) {
  await pause(200);
  for (const question of await chat.questions()) {
    if (asked.has(question.id)) continue;
    asked.add(question.id);
    const call = `${question.toolName} ${JSON.stringify(question.input)}`;
    const said = await terminal.question(`${call}: yes or no? `);
    const result = said.startsWith('y') ? allow() : deny('The desk does not pay this back.');
    await chat.answer({ id: question.id, result, by: 'the desk' });
  }
}
console.log((await outcome).text);
terminal.close();
await offline?.close();
process.exit();

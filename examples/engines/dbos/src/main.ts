// A support desk on DBOS, in one process: it sends a message, asks here what a person has to decide, and prints the answer. Kill it at
// any time, and start it again with the same words: the turn goes on.
import { createInterface } from 'node:readline/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { allow, deny } from 'inboard';
import { dbosTurns } from 'inboard/dbos';
import { createPostgresLedger } from 'inboard/durable/postgres';
import { createSupport } from '../../support/agent.ts';
import { startScript } from '../../support/offline.ts';

const words = process.argv.slice(2).filter((word) => word !== '--offline');
const [content = 'My order A-102 has not come.', id = 'message-1'] = words;
const database = process.env['DATABASE_URL'];
if (!database) throw new Error('Say in DATABASE_URL where PostgreSQL is, as in postgres://localhost/desk.');

const offline = process.argv.includes('--offline') ? await startScript() : undefined;
const turns = await dbosTurns({
  agents: { support: createSupport(offline?.options) },
  ledger: createPostgresLedger(database),
  pollMs: 200,
});
DBOS.setConfig({
  name: 'support-desk',
  systemDatabaseUrl: database,
  // The next start of this program goes on with what this one leaves.
  executorID: 'desk-1',
  applicationVersion: '1',
  logLevel: 'warn',
});
await DBOS.launch();

const turn = { conversation: 'customer-7', agent: 'support', id, content };
await turns.send(turn);
const terminal = createInterface({ input: process.stdin, output: process.stdout });
// A terminal that waits for words keeps Ctrl-C for itself.
terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
const outcome = turns.outcome(turn.conversation, id);
const isOver = outcome.then(
  () => true,
  () => true,
);
const asked = new Set<string>();
while (!(await Promise.race([isOver, DBOS.sleep(200)]))) {
  for (const question of await turns.questions(turn.conversation, id)) {
    if (asked.has(question.id)) continue;
    asked.add(question.id);
    const said = await terminal.question(
      `${question.toolName} ${JSON.stringify(question.input)}: yes or no? `,
    );
    const result = said.startsWith('y') ? allow() : deny('The desk does not pay this back.');
    await turns.answer(turn.conversation, id, { id: question.id, result, by: 'the desk' });
  }
}
console.log((await outcome).text);
terminal.close();
await offline?.close();
await DBOS.shutdown();
process.exit();

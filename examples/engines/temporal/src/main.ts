// A support desk on Temporal, with a worker and a client in one process: it sends a message, asks here what a person has to decide, and
// prints the answer. Kill it at any time, and start it again with the same words: the turn goes on.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline/promises';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { allow, deny } from 'inboard';
import { createPostgresLedger } from 'inboard/durable/postgres';
import { conversationClient, turnActivities } from 'inboard/temporal';
import { createSupport } from '../../support/agent.ts';
import { startScript } from '../../support/offline.ts';

const words = process.argv.slice(2).filter((word) => word !== '--offline');
const [content = 'My order A-102 has not come.', id = 'message-1'] = words;
const database = process.env['DATABASE_URL'];
if (!database) throw new Error('Say in DATABASE_URL where PostgreSQL is, as in postgres://localhost/desk.');
const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
const offline = process.argv.includes('--offline') ? await startScript() : undefined;
const taskQueue = 'support-desk';
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: createRequire(import.meta.url).resolve('inboard/temporal/workflow'),
  activities: turnActivities({
    agents: { support: createSupport(offline?.options) },
    ledger: createPostgresLedger(database),
  }),
});
// At SIGINT and SIGTERM, Temporal's SDK shuts the worker down. The program ends with it, and the turn waits for the next start.
void worker.run().then(() => process.exit());
const client = new Client({ connection: await Connection.connect({ address }) });
const attempts = { heartbeatTimeout: '5 seconds' } as const;
const conversations = conversationClient({ client, taskQueue, attempts });
const conversation = 'customer-7';
await conversations.send({ conversation, agent: 'support', id, content });
const terminal = createInterface({ input: process.stdin, output: process.stdout });
// A terminal that waits for words keeps Ctrl-C for itself.
terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
const outcome = conversations.outcome(conversation, id);
const isOver = outcome.then(
  () => true,
  () => true,
);
const pause = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 500));
const asked = new Set<string>();
while (!(await Promise.race([isOver, pause()]))) {
  for (const question of await conversations.questions(conversation)) {
    if (asked.has(question.id)) continue;
    asked.add(question.id);
    const said = await terminal.question(
      `${question.toolName} ${JSON.stringify(question.input)}: yes or no? `,
    );
    const result = said.startsWith('y') ? allow() : deny('The desk does not pay this back.');
    await conversations.answer(conversation, { id: question.id, result, by: 'the desk' });
  }
}
console.log((await outcome).text);
await offline?.close();
worker.shutdown();

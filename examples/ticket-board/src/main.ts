// Starts the board: database, agents, page. However it ends, by Ctrl-C or kill -9, the next start goes on where this one was.
import { once } from 'node:events';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createApprovals, createFileApprovalStore, createSessionGroup } from 'inboard';
import { inspect } from 'inboard/inspector';
import { createChats } from './chats.ts';
import { createBoard } from './create-ticket.ts';
import { openDatabase } from './database.ts';
import { explainError } from './explain.ts';
import { startScript } from './offline.ts';
import { createServer } from './server.ts';

const { ANTHROPIC_API_KEY, DATA_DIR = join(import.meta.dirname, '..', 'data'), PORT = '4310' } = process.env;
const database = await openDatabase(DATA_DIR);
const offline = ANTHROPIC_API_KEY ? undefined : await startScript(join(DATA_DIR, 'offline'));
const approvals = createApprovals({ store: createFileApprovalStore(join(DATA_DIR, 'approvals')) });
const board = createBoard(database, approvals);
const group = createSessionGroup({
  maxRunning: Number(process.env['MAX_RUNNING'] ?? 2),
  restart: { resend: 'continue' },
  // A chat in review costs no process: its CLI is ended after this time, and another goes on once people have decided.
  suspendAfterMs: Number(process.env['SUSPEND_AFTER_MS'] ?? 10_000),
  options: {
    ...offline?.options,
    systemPrompt:
      'You help a team to keep its project board. Turn what people write into clear tickets with create_ticket, one for ' +
      'each problem or wish. Then say in two or three sentences what became of them. Ask when something is missing.',
    // The board is all it can reach: no files, no shell, no settings of whoever starts the server.
    tools: [],
    settingSources: [],
    strictMcpConfig: true,
    mcpServers: { board },
    allowedTools: [board],
    hookFailure: 'refuse', // a hook that you add must not fail open
    includePartialMessages: true,
  },
});
const chats = createChats(database, { approvals, group, env: offline?.options.env ?? process.env });
const inspector = await inspect(group, { approvals, title: 'Ticket board', port: 0, print: false });
const { fetch } = createServer({ database, approvals, chats, inspector });
try {
  const server = serve({ fetch, port: Number(PORT), hostname: '127.0.0.1' });
  await once(server, 'listening');
  await chats.recover();
  const address = server.address();
  console.log(`Ticket board: http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/`);
  const model = offline ? 'a script: ANTHROPIC_API_KEY is not set' : 'that of your key';
  console.log(`The model is ${model}. Ctrl-C ends it.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} catch (error) {
  console.error(`The board cannot be served on port ${PORT} (set PORT to change it): ${explainError(error)}`);
  process.exitCode = 1;
}
await chats.close();
process.exit();

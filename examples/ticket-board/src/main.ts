// Starts the board: database, agents, page. However it ends, by Ctrl-C or kill -9, the next start goes on where this one was.
import { once } from 'node:events';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createApprovals, createSessionGroup } from 'inboard';
import { inspect } from 'inboard/inspector';
import { createDatabaseApprovalStore, importApprovals } from '../app/approval-store.ts';
import { openDatabase } from '../app/database.ts';
import { startScript } from '../demo/model.ts';
import { makeDemoUsers } from '../demo/users.ts';
import { createChats, type Chats } from './chats.ts';
import { createBoard } from './create-ticket.ts';
import { explainError } from './explain.ts';
import { createServer } from './server.ts';

const { ANTHROPIC_API_KEY, DATA_DIR = join(import.meta.dirname, '..', 'data'), ORIGIN } = process.env;
const { PORT = '4310', MAX_RUNNING = '2', SUSPEND_AFTER_MS = '10000' } = process.env;
let chats: Chats | undefined;
try {
  const database = await openDatabase(DATA_DIR);
  const offline = ANTHROPIC_API_KEY ? undefined : await startScript(join(DATA_DIR, 'offline'));
  const demo = offline ? await makeDemoUsers(database) : [];
  const store = createDatabaseApprovalStore(database);
  await importApprovals(join(DATA_DIR, 'approvals'), store);
  const approvals = createApprovals({ store });
  const board = createBoard(database, approvals);
  const group = createSessionGroup({
    maxRunning: Number(MAX_RUNNING),
    restart: { resend: 'continue' },
    // A chat in review costs no process: its CLI is ended after this time, and another goes on once people have decided.
    suspendAfterMs: Number(SUSPEND_AFTER_MS),
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
  chats = createChats(database, { approvals, group, env: offline?.options.env ?? process.env });
  // It only shows: whoever decides is signed in to the board.
  const looks = { approvals, title: 'Ticket board', port: 0, print: false, readOnly: true };
  const inspector = await inspect(group, looks);
  const { fetch } = createServer({ approvals, chats, inspector }, { database, demo, origin: ORIGIN });
  const server = serve({ fetch, port: Number(PORT), hostname: '127.0.0.1' });
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`The board cannot be served on port ${PORT}; set PORT. ${explainError(error)}`);
  });
  await chats.recover();
  const address = server.address();
  console.log(`Ticket board: http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/`);
  const model = offline ? 'a script: ANTHROPIC_API_KEY is not set' : 'that of your key';
  console.log(`The model is ${model}. Ctrl-C ends it.`);
  for (const { name, role, password } of demo)
    console.log(`Sign in as ${name}, who is ${role}, with the password "${password}".`);
  if (demo.length === 0)
    console.log('npm run add-user -- NAME member|reviewer|admin makes a user to sign in as.');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} catch (error) {
  console.error(explainError(error));
  process.exitCode = 1;
}
await chats?.close();
process.exit();

// One session with the tools file three times: in this process on behalf of Ada, over stdio on behalf of Bob, over HTTP on
// behalf of Cleo. `npm start` shows it; `npm start -- "your prompt"` asks something else.
import { query } from 'inboard';
import { startOffline } from 'inboard/testing';
import { Database } from '../app/database.ts';
import { offlineScript } from './offline.ts';
import { createCallPrinter, paint, plain } from './print-calls.ts';
import { startHttpServer, threeServers } from './servers.ts';
import type { AppState } from './state.ts';

const PROMPT =
  'Use each of the servers local, pipe and web in turn. Ask who you are, keep a result under the label "answer", list what ' +
  'is kept, look up ada@example.org, and try to rename cleo@example.org to Cleo V. Vaughan. Then say what differed.';

async function main(db: Database, prompt: string, stop: AbortController): Promise<void> {
  const [ada, bob, cleo] = await Promise.all(
    ['ada', 'bob', 'cleo'].map((name) => db.findUser(`${name}@example.org`)),
  );
  if (!ada || !bob || !cleo) throw new Error('Somebody is missing; delete the folder data/ to begin anew.');
  await using http = await startHttpServer(process.env['PORT'] ?? '4850');
  await using offline = process.env['ANTHROPIC_API_KEY'] ? undefined : await startOffline(offlineScript);
  console.log(paint('bold', 'One tools file, three ways to call it'));
  console.log(`The model is ${offline ? 'a script; with ANTHROPIC_API_KEY it is the real one' : 'real'}.`);
  console.log(`\n  local  in this process (${process.pid}), for ${ada.name}, ${ada.role}`);
  console.log(`  pipe   over stdio, for ${bob.name}, ${bob.role}`);
  console.log(`  web    at ${http.url}, for ${cleo.name}, ${cleo.role}`);

  const token = await db.issueToken(cleo);
  const state: AppState = { db, user: ada, via: 'in process' };
  try {
    await using q = query({
      prompt,
      options: {
        ...offline?.options,
        abortController: stop,
        mcpServers: threeServers({ pipe: bob.email, web: { url: http.url, token } }),
        toolContext: state,
        allowedTools: ['mcp__local__*', 'mcp__pipe__*', 'mcp__web__*'],
        hookFailure: 'refuse', // a hook that you add must not fail open
        tools: [],
        settingSources: [],
        strictMcpConfig: true,
        maxTurns: 20,
      },
    });
    // Holds the prompt back until all three are connected; the error says which is not.
    await q.ready();
    const printCall = createCallPrinter(console.log);
    for await (const message of q) {
      printCall(message);
      if (message.type !== 'result') continue;
      if (message.subtype !== 'success') throw new Error(`The session ended with ${message.subtype}.`);
      console.log(`\n${plain(message.result)}`);
    }
  } finally {
    await db.revokeToken(token);
  }
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const db = await Database.open();
try {
  await main(db, process.argv.slice(2).join(' ') || PROMPT, stop);
} catch (error) {
  console.error(stop.signal.aborted ? 'Stopped.' : error instanceof Error ? error.message : error);
  process.exitCode = stop.signal.aborted ? 130 : 1;
} finally {
  db.close();
}

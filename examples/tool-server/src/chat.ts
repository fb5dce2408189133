// `npm run chat`: one session for as long as somebody types, or for the lines of a pipe. The CLI, the tools and what was said
// stay between the lines; the tools run in this process, for Ada.
import { createInterface } from 'node:readline';
import { openSession } from 'inboard';
import { startOffline } from 'inboard/testing';
import { Database } from '../app/database.ts';
import { offlineScript } from './offline.ts';
import { plain } from './print-calls.ts';
import { toolkit } from './tools.ts';

const db = await Database.open();
try {
  const user = await db.findUser('ada@example.org');
  if (!user) throw new Error('Ada is missing; delete the folder data/ to begin anew.');
  await using offline = process.env['ANTHROPIC_API_KEY'] ? undefined : await startOffline(offlineScript);
  await using session = openSession({
    options: {
      ...offline?.options,
      mcpServers: { local: toolkit },
      toolContext: { db, user, via: 'in process' },
      allowedTools: [toolkit],
      hookFailure: 'refuse', // a hook that you add must not fail open
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
    },
  });
  const isPerson = process.stdin.isTTY;
  const lines = createInterface({ input: process.stdin, output: isPerson ? process.stdout : undefined });
  if (isPerson) console.log('Ask for a sum or a quotient, such as 7 / 2. Ctrl-D ends it.');
  lines.prompt();
  for await (const line of lines) {
    // An error of one answer, such as a limit of the API, leaves the session as it is.
    if (line.trim()) console.log(plain(await session.send(line).text().catch(String)));
    lines.prompt();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  db.close();
}

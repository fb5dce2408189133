// What a bundled program does: a query with a tool, which loads the launcher, and a look at past sessions, which loads
// another file of the package. Both are found only if the bundler kept the imports that are made on first use.
import { createSdkMcpServer, InboardError, listSessions, query, tool } from 'inboard';
import { z } from 'zod';

/** The answer, what the tool was given, and the sessions there are. */
export async function work(cli) {
  const asked = [];
  const double = tool('double', 'Doubles', { n: z.number() }, ({ n }) => {
    asked.push(n);
    return String(2 * n);
  });
  const math = createSdkMcpServer({ name: 'math', tools: [double] });
  const options = { pathToClaudeCodeExecutable: cli, env: { PATH: process.env.PATH }, settingSources: [] };
  let answer;
  for await (const message of query({
    prompt: 'Double 21.',
    options: { ...options, mcpServers: { math }, allowedTools: [math] },
  }))
    if (message.type === 'result') answer = message.result;
  const sessions = (await listSessions({ dir: process.cwd() })).length;
  // Names of classes are part of the API; a bundler that changes them must leave ours alone.
  const error = new InboardError('TEST', 'only a test').name;
  return { answer, asked, sessions, error };
}

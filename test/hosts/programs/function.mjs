// A function as serverless platforms run it: one process, a call now and then, and between calls the whole sandbox stands
// still. The conversation, and with it the CLI, is kept from one call to the next. Each line of input is a call.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createSdkMcpServer, openSession, tool } from 'inboard';

const asked = [];
const double = tool('double', 'Doubles a number', { n: 'number' }, ({ n }) => {
  asked.push(n);
  return String(2 * n);
});
const math = createSdkMcpServer({ name: 'math', tools: [double] });
const env = { ...process.env, HOME: '/tmp', CLAUDE_CONFIG_DIR: '/tmp/claude' };
const options = {
  pathToClaudeCodeExecutable: '/opt/claude',
  cwd: '/tmp',
  env,
  settingSources: [],
  mcpServers: { math },
  allowedTools: [math],
};
let session;

async function handle() {
  session ??= openSession({ options });
  const answer = await session.send('Double 21.').text();
  return { answer, asked: asked.splice(0), pid: session.pid };
}

async function serve() {
  expectReadOnly(['/opt/x', '/usr/x', '/x']);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'end') break;
    console.log(JSON.stringify(await handle()));
  }
  await session?.close();
}

function expectReadOnly(paths) {
  for (const path of paths) {
    try {
      writeFileSync(path, '');
    } catch (error) {
      if (error.code === 'EROFS') continue;
      throw error;
    }
    throw new Error(`${path} could be written`);
  }
}

serve().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

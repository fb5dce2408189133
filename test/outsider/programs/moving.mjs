// A program for the official SDK, moved by the command as its owner would, and run: it answers on the scripted model, and nothing in
// it names the official package.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startOffline, text, toolUse } from 'inboard/testing';

const OFFICIAL = '@anthropic-ai/claude-agent-sdk';
const command = join('node_modules', 'inboard', 'dist', 'cli', 'main.js');
// In the project, so that the package is found from there.
const folder = mkdtempSync(join(process.cwd(), 'moved-'));
const program = join(folder, 'agent.mjs');
const source = `import { createSdkMcpServer, query, tool } from '${OFFICIAL}';\r
const add = tool('add', 'Adds', { type: 'object', properties: { a: { type: 'number' } } }, async ({ a }) => ({\r
  content: [{ type: 'text', text: String(a + 1) }],\r
}));\r
const sums = createSdkMcpServer({ name: 'sums', version: '1.0.0', tools: [add] });\r
const session = query({ prompt: 'Add.', options: { mcpServers: { sums }, allowedTools: ['mcp__sums__add'] } });\r
for await (const message of session) if (message.type === 'result') console.log(message.result);\r
session.close();`;
writeFileSync(program, source);
writeFileSync(join(folder, 'old.mjs'), `import { unstable_v2_prompt } from '${OFFICIAL}';\n`);

function migrate(...words) {
  const { status, stdout } = spawnSync(process.execPath, [command, 'migrate', '--json', ...words], {
    encoding: 'utf8',
  });
  return { status, ...JSON.parse(stdout) };
}

// The names that exist are read from the declarations of the installed package.
const checked = migrate('--check', folder);
assert.equal(checked.status, 1);
assert.deepEqual(
  checked.findings.map(({ rule, line }) => [rule, line]),
  [
    ['close-not-awaited', 8],
    ['missing-name', 1],
  ],
);
assert.ok(existsSync(checked.guide), checked.guide);
assert.equal(migrate(program).status, 0);
assert.equal(readFileSync(program, 'utf8'), source.replace(OFFICIAL, 'inboard'));

const offline = await startOffline([toolUse('mcp__sums__add', { a: 4 }), text('Five.')]);
try {
  const { INBOARD_CLI } = process.env;
  const env = { ...offline.options.env, INBOARD_CLI };
  const words = ['--no-warnings', program];
  // Not the synchronous form: the model is in this process.
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  assert.equal(stdout, 'Five.\n');
} finally {
  await offline.close();
}

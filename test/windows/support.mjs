// What the cases share: scripts of the fake CLI, programs that are started and read to their end, files.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSdkMcpServer, run, tool } from 'inboard';
import { createFakeCli, text, toolUse } from 'inboard/testing';

/** The folder of the project in which the package is installed. */
export const PROJECT = fileURLToPath(new URL('.', import.meta.url)).replace(/\\$/, '');
/** The native program that stands for the CLI. */
export const NATIVE_CLI = String.raw`C:\claude.exe`;
const COMMAND = join(PROJECT, 'node_modules', 'inboard', 'dist', 'cli', 'main.js');

/** A server with one tool, and what it was asked. */
export function createMath() {
  const asked = [];
  const double = tool('double', 'Doubles', { n: 'number' }, ({ n }) => {
    asked.push(n);
    return String(2 * n);
  });
  return { asked, server: createSdkMcpServer({ name: 'math', tools: [double] }) };
}

/** The script of one turn that calls the tool. */
export const DOUBLE = [toolUse('mcp__math__double', { n: 21 }), text('It is 42.')];

/** Runs one turn on a program and holds what came of it; gives the session of the fake. */
export async function playOn(fake, options) {
  const { asked, server } = createMath();
  const result = await run({
    prompt: 'Double 21.',
    options: { settingSources: [], ...options, mcpServers: { math: server }, allowedTools: [server] },
  });
  assert.equal(result.text, 'It is 42.');
  assert.deepEqual(asked, [21]);
  return fake.sessions.at(-1);
}

/** A fake CLI that closes, and is verified, behind the case. */
export function createFake(after, script = DOUBLE, options) {
  const fake = createFakeCli(script, options);
  after(() => fake.close());
  return fake;
}

/** Disposes of something behind the case: this Node has no `await using`. */
export function disposeLater(after, held) {
  after(() => held[Symbol.asyncDispose]());
  return held;
}

/** A file with all folders above it. */
export function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const started = new Set();

/** Ends the programs that a case has left running because it failed. */
export function endStarted() {
  for (const child of started) child.kill('SIGKILL');
}

/** Starts Node; `done` resolves with what it printed and how it ended. */
export function startNode(words, { cwd, env = process.env, input } = {}) {
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  started.add(child);
  child.once('close', () => started.delete(child));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (chunk) => {
      output[name] += chunk;
      child.emit('said', output);
    });
  if (input !== undefined) child.stdin.end(input);
  const done = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
  return { child, output, done };
}

/** Runs the command `inboard` to its end. */
export async function inboard(words, options = {}) {
  return await startNode([COMMAND, ...words], { input: '', ...options }).done;
}

/** Starts the command `inboard`. */
export function startInboard(words, options) {
  return startNode([COMMAND, ...words], options);
}

/** Waits until a started program has printed what matches, and gives the match. */
export function whenSaid({ child, output, done }, pattern) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
      if (match !== null) resolve(match);
    };
    child.on('said', look);
    done.then(
      ({ code, stdout, stderr }) => reject(new Error(`it ended with ${code} before: ${stdout}${stderr}`)),
      reject,
    );
    look();
  });
}

/** Asks a server on loopback, by Node's own client: under Wine, `fetch` cannot connect. */
export function ask(url, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Whether a process runs. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something holds; the limit of the case ends the wait. */
export async function until(holds) {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A tools file with one server. */
export function putTools(folder, name = 'tools.mjs') {
  return put(
    join(folder, name),
    `import { createSdkMcpServer, tool } from 'inboard';
export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool('count', 'How many there are', { article: 'string' }, ({ article }) => '7 ' + article)],
});
`,
  );
}

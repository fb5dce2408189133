// `inboard acp` on the real CLI: the built command as an editor starts it, driven by the client side of the protocol's own
// library.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeferred } from '../../packages/core/src/util/deferred.js';
import { buildCommand, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { isRunning } from '../support/is-running.js';
import { waitUntil } from '../support/wait-until.js';
import { choose, ofKind, textOf, type Update } from '../../packages/acp/test/open-editor.js';
import { newCli } from './support/cli.js';

const TOOLS = `
import { createSdkMcpServer, tool } from 'inboard';
console.log('loading, on the standard output');
export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('count', 'Counts', { article: 'string' }, ({ article }) => {
      console.log('counting ' + article);
      return 7;
    }),
    tool({ name: 'wait', description: 'Waits', run: (_, { signal }) => new Promise((resolve) => {
      signal.addEventListener('abort', () => { console.error('told to stop'); resolve('stopped'); });
      console.error('waiting');
    }) }),
  ],
});`;
// Goes by the prompt, so that sessions can share it.
const SCRIPT = `
import { text, toolUse, reply, thinking } from 'inboard/testing';
export default { onExhausted: ({ prompt, answers, toolResults }) => {
  const hasResult = toolResults.length > 0;
  if (prompt.includes('count') && !hasResult) return reply(thinking('Hm.'), toolUse('mcp__shop__count', { article: 'apples' }));
  if (prompt.includes('write') && !hasResult) return toolUse('Write', { file_path: prompt.split(' ')[1], content: 'new' });
  if (prompt.includes('wait') && !hasResult) return toolUse('mcp__shop__wait', {});
  return text(['You said ', prompt.split(' ')[0], '.']);
} };`;

let command: BuiltCommand;
let cwd: string;
beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.link('@agentclientprotocol', 'zod');
  command.write('tools.mjs', TOOLS);
  command.write('script.mjs', SCRIPT);
  cwd = join(realpathSync(command.folder), 'work');
  mkdirSync(cwd);
});
afterAll(() => command.remove());

interface Started {
  child: ChildProcess;
  agent: acp.ClientContext;
  updates: Update[];
  asked: acp.RequestPermissionRequest[];
  stderr: () => string;
  /** Resolves once the standard error holds the text. */
  heard: (text: string) => Promise<void>;
  exited: Promise<unknown[]>;
  /** The processes it has started: its CLIs, and the guard that would end them if it died. */
  listChildren: () => Children;
  open: () => Promise<acp.NewSessionResponse>;
  prompt: (sessionId: string, text: string) => Promise<acp.PromptResponse>;
}

async function start(): Promise<Started> {
  const { path } = newCli;
  const child = command.start(['acp', 'tools.mjs', '--offline-script', 'script.mjs'], {
    env: { HOME: command.folder, INBOARD_CLI: path },
  });
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const check of waiting) check();
  });
  const updates: Update[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const { agent } = acp
    .client({ name: 'editor' })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return choose('allow');
    })
    .onNotification(acp.methods.client.session.update, ({ params }) => void updates.push(params.update))
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin as Writable) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
      ),
    );
  await agent.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    child,
    agent,
    updates,
    asked,
    stderr: () => stderr,
    heard: (text) => {
      const found = createDeferred<void>();
      const check = (): void => void (stderr.includes(text) && found.resolve());
      waiting.add(check);
      check();
      return found.promise;
    },
    exited: once(child, 'exit'),
    listChildren: () => listChildren(child.pid),
    open: () => agent.request(acp.methods.agent.session.new, { cwd, mcpServers: [] }),
    prompt: (sessionId, text) =>
      agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
  };
}

interface Children {
  clis: number[];
  guards: number[];
}

// Where the system does not say it, none are known.
function listChildren(pid: number | undefined): Children {
  const tasks = `/proc/${pid}/task`;
  const children: Children = { clis: [], guards: [] };
  if (!existsSync(tasks)) return children;
  for (const task of readdirSync(tasks)) {
    for (const child of readFileSync(join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)) {
      const isGuard = readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith('/bin/sh');
      children[isGuard ? 'guards' : 'clis'].push(Number(child));
    }
  }
  return children;
}

/** All CLIs are gone when the agent is; its guard follows, since the end of the agent is what it waits for. */
async function expectGone({ clis, guards }: Children): Promise<void> {
  expect(clis.filter(isRunning)).toEqual([]);
  await waitUntil(() => !guards.some(isRunning));
}

it('talks, asks, writes, lists and loads, and ends with the editor', async () => {
  const editor = await start();
  const { sessionId, configOptions } = await editor.open();
  expect(configOptions?.[1]).toMatchObject({ id: 'model', currentValue: 'default' });
  await expect(editor.prompt(sessionId, 'Please count')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(textOf(editor.updates, 'agent_thought_chunk')).toBe('Hm.');
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('You said Please.');
  expect(editor.asked[0]).toMatchObject({
    toolCall: { title: 'count (shop)', rawInput: { article: 'apples' } },
    options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
  });
  expect(ofKind(editor.updates, 'tool_call_update').at(-1)).toMatchObject({
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: '7' } }],
  });
  expect(ofKind(editor.updates, 'usage_update')[0]?.size).toBeGreaterThan(0);
  expect(editor.stderr()).toMatch(
    /belongs to the editor[^]*loading, on the standard output\n[^]*counting apples/,
  );

  const file = join(cwd, 'a.txt');
  const other = await editor.open();
  await Promise.all([editor.prompt(other.sessionId, `write: ${file}`), editor.prompt(sessionId, 'Hello')]);
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(editor.asked[1]).toMatchObject({
    sessionId: other.sessionId,
    toolCall: { kind: 'edit', content: [{ type: 'diff', path: file, newText: 'new' }] },
  });

  const { sessions } = await editor.agent.request(acp.methods.agent.session.list, { cwd });
  expect(new Set(sessions.map((one) => one.sessionId))).toEqual(new Set([sessionId, other.sessionId]));
  editor.updates.length = 0;
  await editor.agent.request(acp.methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
  expect(textOf(editor.updates, 'user_message_chunk')).toBe('Please countHello');
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('You said Please.You said Hello.');
  await editor.agent.request(acp.methods.agent.session.setMode, { sessionId, modeId: 'plan' });
  await expect(editor.prompt(sessionId, 'Again')).resolves.toEqual({ stopReason: 'end_turn' });

  const children = editor.listChildren();
  editor.child.stdin?.end();
  await expect(editor.exited).resolves.toEqual([0, null]);
  await expectGone(children);
}, 60_000);

it('cancels a turn in the middle of a tool, goes on, and leaves nothing after Ctrl-C', async () => {
  const editor = await start();
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'Please wait');
  await editor.heard('waiting');
  await editor.agent.notify(acp.methods.agent.session.cancel, { sessionId });
  await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
  await editor.heard('told to stop');
  expect(ofKind(editor.updates, 'tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
  await expect(editor.prompt(sessionId, 'Hello')).resolves.toEqual({ stopReason: 'end_turn' });

  editor.prompt(sessionId, 'Now wait again').catch(() => {});
  await editor.heard('told to stop\nwaiting');
  const children = editor.listChildren();
  if (process.platform === 'linux') expect(children.clis.length).toBeGreaterThan(0);
  editor.child.kill('SIGINT');
  await expect(editor.exited).resolves.toEqual([0, null]);
  await expectGone(children);
}, 60_000);

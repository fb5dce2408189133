// A session of `inboard acp` that waited for a person when its agent was killed, loaded by the agent that is started next: the
// call is pending, the question is asked again, and the real CLI goes on with the answer.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { afterAll, beforeAll, expect } from 'vitest';
import { createDeferred } from '../../packages/core/src/util/deferred.js';
import { choose, textOf, type Update } from '../../packages/acp/test/open-editor.js';
import { buildCommand, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { waitUntil } from '../support/wait-until.js';
import { forEachCli } from './support/cases.js';
import { allClis, newCli, type Cli } from './support/cli.js';
import { text, toolUse } from './support/inboard.js';
import { onStage, type Stage } from './support/stage.js';

const TOOLS = `
import { appendFileSync } from 'node:fs';
import { createSdkMcpServer, tool } from 'inboard';
export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool('pay', 'Pays', { order: 'string' }, ({ order }) => {
    appendFileSync(process.env.RAN, order + '\\n');
    return 'paid order ' + order;
  })],
});`;

let command: BuiltCommand;
beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.link('@agentclientprotocol', 'zod');
  command.write('tools.mjs', TOOLS);
  command.write('agent.mjs', PROGRAM);
});
afterAll(() => command.remove());

interface Agent {
  child: ChildProcess;
  agent: acp.ClientContext;
  updates: Update[];
  asked: acp.RequestPermissionRequest[];
  end: (signal: NodeJS.Signals) => Promise<void>;
}

/** An agent that ends the CLI of a turn as soon as the turn only waits. */
const PROGRAM = `
import { serveAcp } from 'inboard/acp';
import { shop } from './tools.mjs';
await serveAcp({ servers: { shop }, suspendAfterMs: 1, options: { settingSources: [] } });`;

type Answer = acp.RequestPermissionResponse | Promise<acp.RequestPermissionResponse>;

/** Starts an agent: the command, or the program that ends CLIs early. Its questions are answered by the function. */
async function startAgent(
  { cli, home }: Stage,
  onPermission: (signal: AbortSignal) => Answer = () => new Promise<never>(() => {}),
  isProgram = false,
): Promise<Agent> {
  const env = { ...home.env, INBOARD_CLI: cli.path, RAN: join(home.cwd, 'ran.txt') };
  const child = isProgram
    ? spawn(process.execPath, [join(command.folder, 'agent.mjs')], { cwd: home.cwd, env })
    : command.start(['acp', join(command.folder, 'tools.mjs')], { cwd: home.cwd, env });
  child.stderr?.resume();
  const exited = once(child, 'exit');
  const updates: Update[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const { agent } = acp
    .client({ name: 'editor' })
    .onRequest(acp.methods.client.session.requestPermission, async ({ params, signal }) => {
      asked.push(params);
      return await onPermission(signal);
    })
    .onNotification(acp.methods.client.session.update, ({ params }) => void updates.push(params.update))
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin as Writable) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
      ),
    );
  await agent.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return { child, agent, updates, asked, end };
}

/** Whether the transcript of the session has the call. */
function hasCall({ home }: Stage, sessionId: string): boolean {
  const projects = join(home.configDir, 'projects');
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  return folders
    .map((folder) => join(projects, folder, `${sessionId}.jsonl`))
    .some((path) => existsSync(path) && readFileSync(path, 'utf8').includes('"tool_use"'));
}

/** Leaves a session whose agent was killed while a person was asked. Returns the id of the session. */
async function leaveAsking(stage: Stage): Promise<string> {
  const first = await startAgent(stage);
  const { sessionId } = await first.agent.request(acp.methods.agent.session.new, {
    cwd: stage.home.cwd,
    mcpServers: [],
  });
  const prompt: acp.ContentBlock[] = [{ type: 'text', text: 'Pay order 7.' }];
  first.agent.request(acp.methods.agent.session.prompt, { sessionId, prompt }).catch(() => {});
  await waitUntil(() => first.asked.length === 1 && hasCall(stage, sessionId));
  await first.end('SIGKILL');
  return sessionId;
}

/** Asks the model to pay, in a new session, and waits until the turn has no CLI any more. */
async function waitWithoutCli(stage: Stage, { agent, asked, child }: Agent) {
  const { sessionId } = await agent.request(acp.methods.agent.session.new, {
    cwd: stage.home.cwd,
    mcpServers: [],
  });
  const prompt: acp.ContentBlock[] = [{ type: 'text', text: 'Pay order 7.' }];
  const answer = agent.request(acp.methods.agent.session.prompt, { sessionId, prompt });
  await waitUntil(() => asked.length === 1 && listClis(child.pid).length === 0);
  return { sessionId, answer };
}

/** The CLIs that a process has started. Where the system does not say it, none are known. */
function listClis(pid: number | undefined): string[] {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return [];
  return readdirSync(tasks)
    .flatMap((task) => readFileSync(join(tasks, task, 'children'), 'utf8').split(' '))
    .filter((child) => child !== '' && !readCommand(child).startsWith('/bin/sh'));
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process has ended since it was listed.
    return '/bin/sh';
  }
}

/** Resolves when the agent has said this, and fails with what it says instead. */
async function hears({ updates }: Agent, said: string): Promise<void> {
  const heard = (): string => textOf(updates, 'agent_message_chunk');
  await waitUntil(() => heard().includes(said) || heard().includes('could not go on'));
  expect(heard()).toBe(said);
}

async function load({ agent }: Agent, { home }: Stage, sessionId: string): Promise<void> {
  await agent.request(acp.methods.agent.session.load, { sessionId, cwd: home.cwd, mcpServers: [] });
}

/** The states of the only call, as the editor was told of them. */
function statesOf(updates: readonly Update[]): unknown[] {
  return updates.flatMap((update) => ('toolCallId' in update && 'status' in update ? [update.status] : []));
}

/** What the model was last told of the call. */
function readResults(stage: Stage): string[] {
  const messages = (stage.lastRequest().body.messages ?? []) as readonly { content: unknown }[];
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as object[]) : []));
  return blocks
    .filter((block) => 'tool_use_id' in block)
    .map((block) => JSON.stringify('content' in block ? block.content : undefined));
}

function readRuns({ home }: Stage): string {
  const path = join(home.cwd, 'ran.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const PAY = toolUse('mcp__shop__pay', { order: '7' });

async function allowAfterKill(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Paid.')] }, async (stage) => {
    const sessionId = await leaveAsking(stage);
    const second = await startAgent(stage, () => choose('allow'));
    await load(second, stage, sessionId);
    // All of the history came before the answer.
    expect(textOf(second.updates, 'user_message_chunk')).toBe('Pay order 7.');
    expect(statesOf(second.updates)[0]).toBe('pending');
    await hears(second, 'Paid.');
    expect(second.asked).toMatchObject([
      { sessionId, toolCall: { title: 'pay (shop)', status: 'pending', rawInput: { order: '7' } } },
    ]);
    expect(statesOf(second.updates)).toEqual(['pending', 'in_progress', 'completed']);
    expect(readRuns(stage)).toBe('7\n');
    expect(readResults(stage)).toEqual([expect.stringContaining('paid order 7')]);
    await second.end('SIGTERM');
  });
}

async function denyAfterKill(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Then not.')] }, async (stage) => {
    const sessionId = await leaveAsking(stage);
    // Killed once more, before the person has answered.
    const second = await startAgent(stage);
    await load(second, stage, sessionId);
    await waitUntil(() => second.asked.length === 1);
    await second.end('SIGKILL');
    const third = await startAgent(stage, () => choose('reject'));
    await load(third, stage, sessionId);
    await hears(third, 'Then not.');
    expect(statesOf(third.updates)).toEqual(['pending', 'failed']);
    expect(readRuns(stage)).toBe('');
    expect(readResults(stage)).toEqual([expect.stringContaining('rejected')]);
    await third.end('SIGTERM');
  });
}

/** The prompt is one and the same before and after. */
async function answerWithoutCli(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Paid.')] }, async (stage) => {
    const answered = createDeferred<acp.RequestPermissionResponse>();
    const editor = await startAgent(stage, () => answered.promise, true);
    const { answer } = await waitWithoutCli(stage, editor);
    expect(statesOf(editor.updates).at(-1)).toBe('pending');
    answered.resolve(choose('allow'));
    await expect(answer).resolves.toEqual({ stopReason: 'end_turn' });
    expect(editor.asked).toHaveLength(1);
    expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Paid.');
    expect(statesOf(editor.updates).slice(-2)).toEqual(['in_progress', 'completed']);
    expect(readRuns(stage)).toBe('7\n');
    await editor.end('SIGTERM');
  });
}

async function cancelWithoutCli(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Hello.')] }, async (stage) => {
    const withdrawn = createDeferred<void>();
    const onPermission = async (signal: AbortSignal): Promise<acp.RequestPermissionResponse> => {
      signal.addEventListener('abort', () => withdrawn.resolve(), { once: true });
      await withdrawn.promise;
      return { outcome: { outcome: 'cancelled' } };
    };
    const editor = await startAgent(stage, onPermission, true);
    const { sessionId, answer } = await waitWithoutCli(stage, editor);
    await editor.agent.request(acp.methods.agent.session.setMode, { sessionId, modeId: 'acceptEdits' });
    await editor.agent.notify(acp.methods.agent.session.cancel, { sessionId });
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
    await withdrawn.promise;
    expect(statesOf(editor.updates).at(-1)).toBe('failed');
    expect(readRuns(stage)).toBe('');
    const prompt: acp.ContentBlock[] = [{ type: 'text', text: 'Hello' }];
    const next = editor.agent.request(acp.methods.agent.session.prompt, { sessionId, prompt });
    await expect(next).resolves.toEqual({ stopReason: 'end_turn' });
    await editor.end('SIGTERM');
  });
}

forEachCli([newCli], {
  'a prompt goes on without a CLI while a person thinks': answerWithoutCli,
  'a prompt that waits without a CLI can be cancelled': cancelWithoutCli,
});
forEachCli(allClis, { 'an answer completes the call of an agent that was killed': allowAfterKill });
forEachCli([newCli], { 'a denial reaches the model, after two kills': denyAfterKill });

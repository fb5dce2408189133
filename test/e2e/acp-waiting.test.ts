// A session of `inboard acp` that waited for a person when its agent was killed, loaded by the agent that is started next: the
// call is pending, the question is asked again, and the real CLI goes on with the answer.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { afterAll, beforeAll, expect } from 'vitest';
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
});
afterAll(() => command.remove());

interface Agent {
  child: ChildProcess;
  agent: acp.ClientContext;
  updates: Update[];
  asked: acp.RequestPermissionRequest[];
  end: (signal: NodeJS.Signals) => Promise<void>;
}

/** Starts an agent. Its questions are answered with `option`, or not at all. */
async function startAgent({ cli, home }: Stage, option?: string): Promise<Agent> {
  const child = command.start(['acp', join(command.folder, 'tools.mjs')], {
    cwd: home.cwd,
    env: { ...home.env, INBOARD_CLI: cli.path, RAN: join(home.cwd, 'ran.txt') },
  });
  child.stderr?.resume();
  const exited = once(child, 'exit');
  const updates: Update[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const { agent } = acp
    .client({ name: 'editor' })
    .onRequest(acp.methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      return option === undefined ? await new Promise<never>(() => {}) : choose(option);
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
    const second = await startAgent(stage, 'allow');
    await load(second, stage, sessionId);
    // All of the history came before the answer.
    expect(textOf(second.updates, 'user_message_chunk')).toBe('Pay order 7.');
    expect(statesOf(second.updates)[0]).toBe('pending');
    await waitUntil(() => textOf(second.updates, 'agent_message_chunk').includes('Paid.'));
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
    const third = await startAgent(stage, 'reject');
    await load(third, stage, sessionId);
    await waitUntil(() => textOf(third.updates, 'agent_message_chunk').includes('Then not.'));
    expect(statesOf(third.updates)).toEqual(['pending', 'failed']);
    expect(readRuns(stage)).toBe('');
    expect(readResults(stage)).toEqual([expect.stringContaining('rejected')]);
    await third.end('SIGTERM');
  });
}

forEachCli(allClis, { 'an answer completes the call of an agent that was killed': allowAfterKill });
forEachCli([newCli], { 'a denial reaches the model, after two kills': denyAfterKill });

// Results that come later, on the real CLI: a call is completed from another process while the CLI waits, after its host was
// killed, and while the next host waits for it. The next request to the model holds the value.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { buildSource, type BuiltSource } from '../../support/build-source.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  createCalls,
  createSdkMcpServer,
  openSession,
  pending,
  text,
  tool,
  toolUse,
  type Options,
  type SessionToolEvent,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const HOST = fileURLToPath(new URL('../../fixtures/children/pending-host.mjs', import.meta.url));
const COMPLETER = fileURLToPath(new URL('../../fixtures/children/complete-call.mjs', import.meta.url));
const ORDER = 'mcp__shop__order';
const SCRIPT = [toolUse(ORDER, { article: 'apples' }), text('Ordered.')];

let built: BuiltSource | undefined;

/** Removes the sources that other processes were run from. */
export function removeBuiltPackage(): void {
  built?.remove();
  built = undefined;
}

function buildPackage(): string {
  built ??= buildSource('inboard/src/index.ts');
  return built.folder;
}

/** Completes the call in a process of its own, and gives what it said. */
async function completeElsewhere(stage: Stage, callKey: string, value: unknown): Promise<string> {
  const given = { options: { env: stage.home.env }, callKey, value, by: 'warehouse' };
  const child = spawn(process.execPath, [COMPLETER, buildPackage(), JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  await once(child, 'close');
  return said.trim();
}

/** The transcripts of all sessions of the stage. */
function readTranscripts({ home }: Stage): string {
  const folder = join(home.configDir, 'projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.includes('inboard-calls'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

/** The text of the only result in the last request. */
function resultIn(stage: Stage): string {
  const messages = (stage.lastRequest().body.messages ?? []) as readonly { content: unknown }[];
  const results = messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Record<string, unknown>[]) : []))
    .filter(({ type }) => type === 'tool_result');
  expect(results).toHaveLength(1);
  const content = results[0]?.['content'];
  const blocks = Array.isArray(content) ? (content as { text?: string }[]) : [{ text: String(content) }];
  return blocks.map((block) => block.text).join('');
}


function createShop(events: SessionToolEvent[], ran: string[]): Options {
  const order = tool('order', 'Orders.', { article: 'string' }, ({ article }) => {
    ran.push(article);
    return pending({ note: `waits for ${article}` });
  });
  return {
    allowedTools: [ORDER],
    mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [order], alwaysLoad: true }) },
    onToolEvent: (event) => void events.push(event),
  };
}

async function completeWhileLive(cli: Cli): Promise<void> {
  await onStage(cli, { script: SCRIPT }, async (stage) => {
    const events: SessionToolEvent[] = [];
    const ran: string[] = [];
    await using session = openSession({ options: stage.options(createShop(events, ran)) });
    const turn = session.send('Order apples.');
    const calls = createCalls({ env: stage.home.env });
    await waitUntil(() => events.some(({ type }) => type === 'pending'));
    const [open] = await calls.list();
    expect(open).toMatchObject({ toolName: ORDER, input: { article: 'apples' }, note: 'waits for apples' });
    const callKey = open?.callKey ?? '';
    expect(await completeElsewhere(stage, callKey, { parcel: 7 })).toBe('ok');
    expect(await turn.text()).toBe('Ordered.');
    expect(JSON.parse(resultIn(stage))).toEqual({ parcel: 7 });
    expect(ran).toEqual(['apples']);
    expect(await calls.list()).toEqual([]);
    await expect(calls.complete(callKey, 'again')).rejects.toMatchObject({
      code: 'CALL_ENDED',
      by: 'warehouse 0',
    });
    const types = events.map(({ type }) => type);
    expect(types).toEqual(['start', 'pending', 'end']);
  });
}

/** The host is killed; the call is completed before or after the next host has opened the session. */
function completeAfterDeath(when: 'before' | 'after') {
  return async (cli: Cli): Promise<void> => {
    await onStage(cli, { script: SCRIPT }, async (stage) => {
      const given = JSON.stringify(stage.options({ allowedTools: [ORDER] }));
      const host = spawn(process.execPath, [HOST, buildPackage(), given], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
      const callKey = String((await lines.next()).value);
      // A call that is not in the transcript yet would be made again, not completed.
      await waitUntil(() => readTranscripts(stage).includes('"type":"tool_use"'));
      host.kill('SIGKILL');
      await once(host, 'exit');
      const calls = createCalls({ env: stage.home.env });
      const [open] = await calls.list();
      expect(open?.callKey).toBe(callKey);
      if (when === 'before') expect(await completeElsewhere(stage, callKey, 'parcel 7')).toBe('ok');
      const ran: string[] = [];
      const options = stage.options({ ...createShop([], ran), resume: open?.sessionId ?? '' });
      await using session = openSession({ options, interrupted: 'continue' });
      const continued = session.continued;
      if (when === 'after') {
        expect((await continued)?.uuid).toBeDefined();
        expect(stage.model.conversation).toHaveLength(1);
        expect(await completeElsewhere(stage, callKey, 'parcel 7')).toBe('ok');
      }
      expect(await (await continued)?.text()).toBe('Ordered.');
      expect(resultIn(stage)).toBe('parcel 7');
      expect(ran).toEqual([]);
      expect(await calls.list()).toEqual([]);
    });
  };
}

/** The CLI dies by itself; the host waits on, and the next CLI gets the value. */
async function outliveCli(cli: Cli): Promise<void> {
  await onStage(cli, { script: SCRIPT }, async (stage) => {
    const events: SessionToolEvent[] = [];
    const ran: string[] = [];
    await using session = openSession({
      options: stage.options(createShop(events, ran)),
      restart: { resend: 'continue', backoffMs: 0 },
    });
    const turn = session.send('Order apples.');
    await waitUntil(() => events.some(({ type }) => type === 'pending'));
    await waitUntil(() => readTranscripts(stage).includes('"type":"tool_use"'));
    process.kill(-(session.pid as number), 'SIGKILL');
    await waitUntil(() => session.pid === undefined);
    const callKey = (await createCalls({ env: stage.home.env }).list())[0]?.callKey ?? '';
    expect(await completeElsewhere(stage, callKey, 'parcel 7')).toBe('ok');
    expect(await turn.text()).toBe('Ordered.');
    expect(resultIn(stage)).toBe('parcel 7');
    expect(ran).toEqual(['apples']);
  });
}

async function withdrawByInterrupt(cli: Cli): Promise<void> {
  await onStage(cli, { script: [toolUse(ORDER, { article: 'apples' })] }, async (stage) => {
    const events: SessionToolEvent[] = [];
    await using session = openSession({ options: stage.options(createShop(events, [])) });
    const turn = session.send('Order apples.');
    await waitUntil(() => events.some(({ type }) => type === 'pending'));
    const calls = createCalls({ env: stage.home.env });
    const callKey = (await calls.list())[0]?.callKey ?? '';
    await session.interrupt();
    expect((await turn.outcome()).kind).toBe('interrupted');
    await waitUntil(() => events.some(({ type }) => type === 'cancelled'));
    await expect(calls.complete(callKey, 'late')).rejects.toMatchObject({ code: 'CALL_ENDED' });
    expect(await calls.list()).toEqual([]);
  });
}

async function refuseInQuery(cli: Cli): Promise<void> {
  await onStage(cli, { script: SCRIPT }, async (stage) => {
    const events: SessionToolEvent[] = [];
    const { query, warnings } = stage.start('Order apples.', createShop(events, []));
    for await (const message of query) void message;
    expect(resultIn(stage)).toContain('The tool "order" returned pending(), but the result cannot come later');
    expect(warnings.map(({ code }) => code)).toContain('PENDING_REFUSED');
    expect(await createCalls({ env: stage.home.env }).list()).toEqual([]);
  });
}

export const pendingCases: CaseSet = {
  'a call is completed by another process while the CLI waits': completeWhileLive,
  'a call is completed after its host was killed, and the next host delivers the value': completeAfterDeath('before'),
  'the next host waits for a call whose host was killed': completeAfterDeath('after'),
  'a call outlives its CLI, and the next one gets the value': outliveCli,
  'an interrupted turn withdraws its pending call': withdrawByInterrupt,
  'a query refuses a pending result': refuseInQuery,
};

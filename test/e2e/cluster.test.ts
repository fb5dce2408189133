// Workers of a cluster on the real CLI: a turn that is taken over, parked, interrupted or found, and what stays on the machine.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pending } from '../../packages/core/src/answer/mcp/result/pending.js';
import { createSdkMcpServer } from '../../packages/core/src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../packages/core/src/answer/mcp/tool/tool.js';
import { createCluster } from '../../packages/cluster/src/create-cluster.js';
import { memoryDispatcher } from '../../packages/cluster/src/dispatch/memory-dispatcher.js';
import type { Journal } from '../../packages/cluster/src/journal/journal.js';
import { memoryJournal } from '../../packages/cluster/src/journal/memory/memory-journal.js';
import type { WorkOptions } from '../../packages/cluster/src/work/host/work-options.js';
import type { WorkerEvent } from '../../packages/cluster/src/work/host/worker-event.js';
import { startWorker } from '../../packages/cluster/src/work/worker.js';
import { startOffline, type Offline } from '../../packages/testing/src/offline.js';
import { gate } from '../../packages/testing/src/script/gate.js';
import { held, text, toolUse, type Step } from '../../packages/testing/src/script/reply.js';
import { waitUntil } from '../support/wait-until.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });

async function createScene(script: readonly Step[], run: (keys: string[]) => Promise<string> | string) {
  const offline = await startOffline([...script]);
  const journal = memoryJournal();
  const dispatcher = memoryDispatcher();
  const keys: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays an order',
    inputSchema: { order: 'number' },
    onRepeat: 'recorded',
    run: async (_, { callKey }) => {
      keys.push(callKey);
      return await run(keys);
    },
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [pay], alwaysLoad: true });
  const agents = {
    helper: () => ({ ...offline.options, mcpServers: { shop }, allowedTools: [shop] }),
    asking: () => ({ ...offline.options, mcpServers: { shop } }),
  };
  const events: WorkerEvent[] = [];
  return {
    offline,
    journal,
    keys,
    told: (type: WorkerEvent['type']) => events.filter((event) => event.type === type),
    work: (options: WorkOptions = {}, through: Journal = journal) =>
      startWorker(
        { journal: through, dispatcher, agents, admit: async () => ({ admitted: true }) },
        { leaseMs: 1500, sweepMs: 50, onEvent: (event) => events.push(event), ...options },
      ),
    send: async (id: string, agent = 'helper') => {
      await journal.enqueue({ key: 'chat', id, content: `Message ${id}`, start: { agent, data: null } });
      await dispatcher.wake('chat');
    },
    wake: () => dispatcher.wake('chat'),
    ended: async (id: string) => {
      await waitUntil(async () => (await journal.turn('chat', id))?.state === 'ended', 60_000);
      return (await journal.turn('chat', id))?.outcome;
    },
  };
}

describe('a cluster on the real CLI', () => {
  it('keeps a conversation warm, and nothing of it on the machine in the end', async () => {
    const scene = await createScene([text('One.'), text('Two.')], () => '');
    // On a busy machine, a short lease may run out while a CLI starts.
    const worker = await scene.work({ leaseMs: 60_000 });
    await scene.send('1');
    expect(await scene.ended('1')).toMatchObject({ ok: true, text: 'One.' });
    await scene.send('2');
    expect(await scene.ended('2')).toMatchObject({ ok: true, text: 'Two.' });
    expect(scene.told('leased')).toHaveLength(1);
    expect(await listTranscripts(scene.offline)).toHaveLength(1);
    await worker.drain();
    expect(await listTranscripts(scene.offline)).toEqual([]);
    expect((await scene.journal.history('chat'))?.entries.length).toBeGreaterThan(4);
    await scene.offline.close();
  });

  it('goes on elsewhere with a turn that was cut off in a tool call, and again when its answer was not told', async () => {
    const cut = { one: false, other: false };
    const script = [CALL, text('Paid.')];
    const scene = await createScene(script, async ({ length }) => {
      if (length > 1) return 'paid';
      // In the transcript, which the CLI reports a moment after its messages.
      await waitUntil(async () => {
        const { entries = [] } = (await scene.journal.history('chat')) ?? {};
        return JSON.stringify(entries).includes('"tool_use"');
      });
      cut.one = true;
      return await new Promise(() => {});
    });
    const one = await scene.work(
      { name: 'one' },
      cutBy(scene.journal, () => cut.one),
    );
    await scene.send('1');
    await waitUntil(() => cut.one, 60_000);
    // The second worker has the answer, and is gone before it can say so.
    const silent = {
      ...scene.journal,
      finishAndNext: undefined,
      finish: () => ((cut.other = true), Promise.reject(new Error('Gone'))),
    };
    const other = await scene.work(
      { name: 'other' },
      cutBy(silent, () => cut.other),
    );
    await waitUntil(() => cut.other, 60_000);
    const third = await scene.work({ name: 'third' });
    expect(await scene.ended('1')).toMatchObject({ ok: true, text: 'Paid.', recovered: true });
    expect(scene.told('turn-started')).toMatchObject([
      { how: 'new' },
      { how: 'continued' },
      { how: 'found' },
    ]);
    expect(scene.keys).toHaveLength(2);
    expect(scene.keys[1]).toBe(scene.keys[0]);
    const { entries = [] } = (await scene.journal.history('chat')) ?? {};
    expect(
      entries.filter(({ entry }) => JSON.stringify(entry).includes('Message 1') && isUser(entry)),
    ).toHaveLength(1);
    for (const worker of [one, other, third]) await worker.close();
    await scene.offline.close();
  });

  it('parks a question, goes on with its answer, and stops on request', async () => {
    const closed = gate();
    const scene = await createScene([CALL, text('Paid.'), held(text('Never.'), closed)], () => 'paid');
    const worker = await scene.work({ suspendAfterMs: 50 });
    await scene.send('1', 'asking');
    await waitUntil(async () => (await scene.journal.stats()).turns.parked === 1, 60_000);
    await waitUntil(async () => (await scene.journal.stats()).leases === 0);
    const [question] = await scene.journal.questions();
    await scene.journal.answer(question?.id ?? '', { result: { behavior: 'allow' }, answeredAt: 0 });
    await scene.wake();
    expect(await scene.ended('1')).toMatchObject({
      ok: true,
      text: 'Paid.',
      completedCalls: [{ how: 'ran', delivered: true }],
    });
    expect(scene.keys).toHaveLength(1);
    // The model made the call once, and read its result.
    expect(JSON.stringify(scene.offline.model.requests.at(-1))).toMatch(/tool_result.*paid/);
    expect(JSON.stringify(await scene.journal.history('chat'))).not.toContain('Tool call interrupted');
    await scene.send('2');
    await closed.reached;
    await scene.journal.interrupt('chat');
    expect(await scene.ended('2')).toMatchObject({ ok: false, kind: 'interrupted' });
    expect(await scene.journal.turn('chat', '1')).toMatchObject({ attempt: 2, tries: 1 });
    await worker.drain();
    await scene.offline.close({ verify: false });
  });

  it('parks a pending call, goes on with its result, and counts what each CLI cost once', async () => {
    const costs: number[] = [];
    for (const suspendAfterMs of [60_000, 50]) {
      const scene = await createScene([CALL, text('Paid.')], () => pending({ note: 'the bank' }) as never);
      const worker = await scene.work({ suspendAfterMs });
      await scene.send('1');
      const cluster = createCluster({ agents: { helper: () => ({}) }, journal: scene.journal });
      await waitUntil(async () => (await cluster.calls.list()).length === 1, 60_000);
      const isParked = suspendAfterMs === 50;
      if (isParked) {
        await waitUntil(async () => (await scene.journal.stats()).turns.parked === 1, 60_000);
        await waitUntil(async () => (await scene.journal.stats()).leases === 0);
        // What the first CLI cost is not lost with it.
        expect((await scene.journal.turn('chat', '1'))?.turnCostUsd).toBeGreaterThan(0);
      }
      await cluster.calls.complete(scene.keys[0] ?? '', 'paid by the bank', { by: 'bank' });
      await scene.wake();
      const outcome = await scene.ended('1');
      expect(outcome).toMatchObject({ ok: true, text: 'Paid.' });
      expect(outcome?.completedCalls?.map(({ how }) => how)).toEqual(isParked ? ['recorded'] : undefined);
      expect(JSON.stringify(scene.offline.model.requests.at(-1))).toMatch(/tool_result.*paid by the bank/);
      expect(scene.keys).toHaveLength(1);
      expect((await scene.journal.conversation('chat'))?.totalCostUsd).toBe(outcome?.turnCostUsd);
      costs.push(outcome?.turnCostUsd ?? 0);
      await worker.drain();
      await scene.offline.close();
    }
    const [whole = 0, parked = 0] = costs;
    // The CLI tells its cost with four digits.
    expect(whole).toBeGreaterThan(0);
    expect(Math.abs(parked - whole)).toBeLessThan(0.0002);
  });

  it('tells the model the truth about a call whose turn was interrupted while it was parked', async () => {
    const scene = await createScene([CALL, text('Fine.')], () => 'paid');
    const worker = await scene.work({ suspendAfterMs: 50 });
    await scene.send('1', 'asking');
    await waitUntil(async () => (await scene.journal.stats()).turns.parked === 1, 60_000);
    await waitUntil(async () => (await scene.journal.stats()).leases === 0);
    await scene.journal.interrupt('chat');
    expect(await scene.ended('1')).toMatchObject({ ok: false, kind: 'interrupted' });
    await scene.send('2', 'asking');
    expect(await scene.ended('2')).toMatchObject({ ok: true, text: 'Fine.' });
    const request = JSON.stringify(scene.offline.model.requests.at(-1));
    expect(request).toContain('This call did not run: the turn was interrupted');
    expect(request).not.toContain('Tool call interrupted');
    expect(scene.keys).toEqual([]);
    await worker.drain();
    await scene.offline.close();
  });
});

/** The journal as a worker sees it that is cut off from it as soon as `isCut`. */
function cutBy(journal: Journal, isCut: () => boolean): Journal {
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        if (name === 'store') return (...given: unknown[]) => guard(value.apply(object, given) as object);
        return (...given: unknown[]): unknown =>
          isCut() ? Promise.reject(new Error('The journal is away')) : value.apply(object, given);
      },
    });
  return guard(journal);
}

async function listTranscripts({ options }: Offline): Promise<string[]> {
  const folder = join(
    options.env['CLAUDE_CONFIG_DIR'] ?? join(options.env['HOME'] ?? '', '.claude'),
    'projects',
  );
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  return found.filter((name) => name.endsWith('.jsonl'));
}

function isUser(entry: unknown): boolean {
  return (entry as { type?: string }).type === 'user';
}

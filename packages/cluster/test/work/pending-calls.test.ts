// Calls whose results come later, in a cluster: a turn waits for them without a CLI, and any process with the journal gives the
// result, once.
import { describe, expect, it } from 'vitest';
import { pending } from '@inboard/core/answer/mcp/result/pending.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import type { RepeatPolicy } from '@inboard/core/answer/mcp/tool/repeat-policy.js';
import { createCluster } from '../../src/create-cluster.js';
import { checkHistory } from '../../src/journal/check-history.js';
import type { ConversationHistory } from '../../src/journal/records.js';
import { text, toolUse } from '@inboard/testing/script/reply.js';
import type { FakeScriptItem } from '@inboard/testing/fake-cli/script/fake-step.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { cutOff, type MadeCall } from './cut-off.js';
import { told, WorkerScene, type SceneWorker } from './worker-scene.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });
const OTHER = toolUse('mcp__shop__pay', { order: 8 });
const SAY = ({ answer }: { answer: { text: string } }) => text(answer.text);
const LONG = { suspendAfterMs: 60_000 };
const SHORT = { suspendAfterMs: 10 };

interface Shop {
  runs: { order: number; callKey: string }[];
  server: ReturnType<typeof createSdkMcpServer>;
}

function createShop({ output, onRepeat }: { output?: object; onRepeat?: RepeatPolicy } = {}): Shop {
  const runs: Shop['runs'] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    ...(output && { outputSchema: output as never }),
    ...(onRepeat && { onRepeat }),
    run: ({ order }, { callKey }) => {
      runs.push({ order, callKey });
      return pending({ note: `order ${order}` }) as never;
    },
  });
  return { runs, server: createSdkMcpServer({ name: 'shop', tools: [pay] }) };
}

function createScene(shop: Shop, ...scripts: FakeScriptItem[][]): WorkerScene {
  return new WorkerScene(scripts, {
    mcpServers: { shop: shop.server },
    allowedTools: [shop.server],
    claudeCodeVersion: '2.1.325',
  });
}

/** A cluster in another process, as far as it can be in this one: it has only the journal. */
const clusterOf = (scene: WorkerScene) =>
  createCluster({
    agents: { helper: () => ({}) },
    journal: scene.journal,
    dispatcher: scene.dispatcher,
  });

const released = (worker: SceneWorker, times: number): Promise<void> =>
  waitUntil(() => told(worker, 'released').length === times);

async function read(scene: WorkerScene): Promise<ConversationHistory> {
  const history = (await scene.journal.history('chat')) as ConversationHistory;
  expect(checkHistory([history])).toEqual([]);
  return history;
}

describe('a pending call', () => {
  it('gets its result while the CLI is held', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    const worker = await scene.work(LONG);
    const id = await scene.send('Pay');
    const { calls } = clusterOf(scene);
    await waitUntil(async () => (await calls.list()).length === 1);
    const [call] = await calls.list();
    const callKey = shop.runs[0]?.callKey ?? '';
    expect(call).toEqual({
      callKey,
      conversation: 'chat',
      sessionId: (await scene.journal.conversation('chat'))?.sessionId,
      toolName: 'mcp__shop__pay',
      input: { order: 7 },
      note: 'order 7',
      since: expect.any(Number) as number,
    });
    await calls.complete(callKey, 'paid 7', { by: 'bank' });
    expect((await scene.ended(id)).outcome?.text).toBe('paid 7');
    expect(scene.opened).toHaveLength(1);
    expect(told(worker, 'turn-parked')).toEqual([]);
    expect(await calls.list()).toEqual([]);
    const { calls: kept } = (await scene.journal.history('chat')) as ConversationHistory;
    expect(kept).toMatchObject([{ callKey, begun: 1, ended: 1, result: { content: [{ text: 'paid 7' }] } }]);
  });

  it('frees the CLI, the place and the lease', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    const worker = await scene.work(SHORT);
    const id = await scene.send('Pay');
    await released(worker, 1);
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'parked', tries: 0 });
    expect(worker.worker.stats()).toMatchObject({ running: 0, warm: 0, parked: 1 });
    expect((await scene.journal.stats()).leases).toBe(0);
    const callKey = shop.runs[0]?.callKey ?? '';
    await clusterOf(scene).calls.complete(callKey, 'paid 7', { by: 'bank' });
    // This CLI has no transcript, so the model makes the call again, and gets the result at once.
    expect((await scene.ended(id)).outcome?.text).toBe('paid 7');
    expect(shop.runs).toHaveLength(1);
    expect(told(worker, 'trouble')).toEqual([]);
  });

  it('is failed', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    await scene.work(LONG);
    const id = await scene.send('Pay');
    const { calls } = clusterOf(scene);
    await waitUntil(async () => (await calls.list()).length === 1);
    await calls.fail(shop.runs[0]?.callKey ?? '', 'The card is blocked');
    expect((await scene.ended(id)).outcome?.text).toContain('The card is blocked');
  });

  it('takes one of forty results that come at once, and says who was first to the others', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    await scene.work(LONG);
    const id = await scene.send('Pay');
    const { calls } = clusterOf(scene);
    await waitUntil(async () => (await calls.list()).length === 1);
    const callKey = shop.runs[0]?.callKey ?? '';
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => calls.complete(callKey, `value ${at}`, { by: `bank ${at}` })),
    );
    const taken = settled.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
    expect(taken).toHaveLength(1);
    for (const each of settled)
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ code: 'CALL_ENDED', callKey, by: `bank ${taken[0]}` });
    expect((await scene.ended(id)).outcome?.text).toBe(`value ${taken[0]}`);
    // A webhook that comes again, after the turn has ended.
    await expect(calls.complete(callKey, 'late')).rejects.toMatchObject({ code: 'CALL_ENDED' });
  });

  it('refuses a value that does not fit its output schema, and stays pending', async () => {
    const shop = createShop({ output: { paid: 'number' } });
    await using scene = createScene(shop, [CALL, SAY]);
    await scene.work(LONG);
    const id = await scene.send('Pay');
    const { calls } = clusterOf(scene);
    await waitUntil(async () => (await calls.list()).length === 1);
    const callKey = shop.runs[0]?.callKey ?? '';
    await expect(calls.complete(callKey, { paid: 'much' })).rejects.toMatchObject({ code: 'CALL_VALUE' });
    expect(await calls.list()).toHaveLength(1);
    await calls.complete(callKey, { paid: 3 });
    expect(JSON.parse((await scene.ended(id)).outcome?.text ?? '')).toEqual({ paid: 3 });
  });

  it('is withdrawn with its turn, parked or held', async () => {
    for (const options of [SHORT, LONG]) {
      const shop = createShop();
      await using scene = createScene(shop, [CALL, SAY]);
      const worker = await scene.work(options);
      const id = await scene.send('Pay');
      const { calls } = clusterOf(scene);
      await waitUntil(async () => (await calls.list()).length === 1);
      if (options === SHORT) await released(worker, 1);
      expect(await scene.journal.interrupt('chat')).toBe(true);
      expect((await scene.ended(id)).outcome?.kind).toBe('interrupted');
      expect(await calls.list()).toEqual([]);
      await expect(calls.complete(shop.runs[0]?.callKey ?? '', 'late')).rejects.toMatchObject({
        code: 'CALL_UNKNOWN',
      });
    }
  });

  it('is no question to a person', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    await scene.work(LONG);
    await scene.send('Pay');
    const { calls, approvals } = clusterOf(scene);
    await waitUntil(async () => (await calls.list()).length === 1);
    expect(await approvals.list()).toEqual([]);
    const [question] = await scene.journal.questions();
    await expect(approvals.answer(question?.id ?? '', { behavior: 'allow' })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringContaining('cluster.calls.complete()') as string,
    });
    expect(await calls.list()).toHaveLength(1);
  });

  it('is parked by a worker that drains', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    const first = await scene.work(LONG);
    const id = await scene.send('Pay');
    const { calls } = clusterOf(scene);
    await waitUntil(async () => (await calls.list()).length === 1);
    await first.worker.drain();
    expect((await scene.journal.turn('chat', id))?.state).toBe('parked');
    await scene.work(LONG);
    await calls.complete(shop.runs[0]?.callKey ?? '', 'paid 7');
    expect((await scene.ended(id)).outcome?.text).toBe('paid 7');
    expect(shop.runs).toHaveLength(1);
  });
});

describe('a pending call that was cut off', () => {
  const PAY: MadeCall = { id: 'toolu_1', name: 'mcp__shop__pay', input: { order: 7 } };
  const PAY_OTHER: MadeCall = { id: 'toolu_2', name: 'mcp__shop__pay', input: { order: 8 } };
  const DONE = text('Done.');

  it.each(['parked', 'running'] as const)(
    'gets its result, which came while its turn was %s without a worker',
    async (state) => {
      const shop = createShop();
      await using scene = createScene(shop, [DONE]);
      const gone = await cutOff(scene, [PAY], async ({ pend, park }) => {
        await pend(PAY);
        if (state === 'parked') await park(PAY);
      });
      const callKey = gone.keyOf(PAY);
      await clusterOf(scene).calls.complete(callKey, 'paid 7', { by: 'bank' });
      await scene.work(LONG);
      const { outcome } = await scene.ended(gone.id);
      expect(outcome).toMatchObject({
        ok: true,
        completedCalls: [{ callKey, toolName: PAY.name, how: 'recorded', delivered: true }],
      });
      expect(shop.runs).toEqual([]);
      expect(JSON.stringify((await read(scene)).entries)).toContain('paid 7');
    },
  );

  it('lets its turn wait without a CLI, until the last of its message has a result', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [DONE]);
    const gone = await cutOff(scene, [PAY, PAY_OTHER], async ({ pend, park }) => {
      await pend(PAY);
      await pend(PAY_OTHER);
      await park(PAY, PAY_OTHER);
    });
    const { calls } = clusterOf(scene);
    const worker = await scene.work(SHORT);
    await calls.complete(gone.keyOf(PAY), 'paid 7');
    // The first result alone starts no CLI: the turn waits, and is parked again.
    await released(worker, 1);
    expect(scene.opened).toEqual([]);
    expect(await scene.journal.turn('chat', gone.id)).toMatchObject({ state: 'parked', tries: 0 });
    await calls.complete(gone.keyOf(PAY_OTHER), 'paid 8');
    const { outcome } = await scene.ended(gone.id);
    expect(outcome?.completedCalls).toMatchObject([{ how: 'recorded' }, { how: 'recorded' }]);
    expect(scene.opened).toHaveLength(1);
    expect(shop.runs).toEqual([]);
    await read(scene);
  });

  it('gets its result while a worker waits for it without a CLI', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [DONE]);
    const gone = await cutOff(scene, [PAY], async ({ pend }) => await pend(PAY));
    const worker = await scene.work(LONG);
    await waitUntil(() => told(worker, 'leased').length === 1);
    await clusterOf(scene).calls.complete(gone.keyOf(PAY), 'paid 7');
    expect((await scene.ended(gone.id)).outcome).toMatchObject({
      ok: true,
      completedCalls: [{ how: 'recorded' }],
    });
    expect(scene.opened).toHaveLength(1);
  });

  it('waits together with a question to a person', async () => {
    const shop = createShop();
    const done = tool({
      name: 'pay',
      description: 'Pays',
      inputSchema: { order: 'number' },
      run: ({ order }) => `paid ${order}`,
    });
    const server = createSdkMcpServer({ name: 'shop', tools: [done] });
    await using scene = createScene({ ...shop, server }, [DONE]);
    const gone = await cutOff(scene, [PAY, PAY_OTHER], async ({ pend, ask, park }) => {
      await pend(PAY);
      await ask(PAY_OTHER);
      await park(PAY, PAY_OTHER);
    });
    const { calls, approvals } = clusterOf(scene);
    const worker = await scene.work(SHORT);
    expect(await approvals.list()).toHaveLength(1);
    await approvals.answer(gone.keyOf(PAY_OTHER), { behavior: 'allow' });
    await released(worker, 1);
    expect(scene.opened).toEqual([]);
    await calls.complete(gone.keyOf(PAY), 'paid 7');
    const { outcome } = await scene.ended(gone.id);
    expect(outcome?.completedCalls).toMatchObject([{ how: 'recorded' }, { how: 'recorded', allowed: true }]);
    const results = JSON.stringify((await read(scene)).entries);
    expect(results).toContain('paid 7');
    expect(results).toContain('paid 8');
  });
});

describe('a pending call that the model makes again', () => {
  it.each<[RepeatPolicy, number]>([
    ['unknown', 1],
    ['recorded', 1],
    ['run', 2],
  ])('after its result, with onRepeat "%s", has run %i times', async (onRepeat, runs) => {
    const shop = createShop({ onRepeat });
    await using scene = createScene(shop, [CALL, SAY]);
    const worker = await scene.work(SHORT);
    const id = await scene.send('Pay');
    const { calls } = clusterOf(scene);
    for (let run = 1; run <= runs; run += 1) {
      await released(worker, run);
      expect(shop.runs).toHaveLength(run);
      await calls.complete(shop.runs.at(-1)?.callKey ?? '', `paid ${run}`);
    }
    if (runs === 1) expect((await scene.ended(id)).outcome?.text).toBe('paid 1');
    expect(shop.runs).toHaveLength(runs);
  });
});

describe('calls of tenants', () => {
  it('are listed, watched and completed for their own tenant alone', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, SAY]);
    await scene.work(LONG);
    const start = { agent: 'helper', data: null, tenant: 'ann' };
    await scene.journal.enqueue({ key: 'chat', id: 't', content: 'Pay', start });
    await scene.dispatcher.wake('chat');
    const { calls } = clusterOf(scene);
    await waitUntil(async () => (await calls.list({ tenant: 'ann' })).length === 1);
    const callKey = shop.runs[0]?.callKey ?? '';
    expect(await calls.list({ tenant: 'bob' })).toEqual([]);
    for (const attempt of [
      calls.complete(callKey, 'x', { tenant: 'bob' }),
      calls.fail(callKey, 'x', { tenant: 'bob' }),
      calls.complete('call_of_nobody', 'x', { tenant: 'bob' }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'CALL_UNKNOWN' });
    await calls.complete(callKey, 'paid 7', { tenant: 'ann' });
    expect((await scene.ended('t')).outcome?.text).toBe('paid 7');
  });
});

describe('watching calls', () => {
  it('tells what is pending, and how each call was settled', async () => {
    const shop = createShop();
    await using scene = createScene(shop, [CALL, OTHER, text('Done.')]);
    await scene.work(LONG);
    const { calls } = clusterOf(scene);
    const seen: unknown[] = [];
    const over = new AbortController();
    const watching = (async () => {
      for await (const change of calls.watch({ signal: over.signal })) {
        const { call, ...rest } = change;
        seen.push({ ...rest, order: call.input['order'] });
        if (change.type === 'settled') continue;
        if (call.input['order'] === 7) await calls.complete(call.callKey, 'paid', { by: 'bank' });
        else await scene.journal.interrupt('chat');
      }
    })();
    const id = await scene.send('Pay');
    await scene.ended(id);
    await waitUntil(() => seen.length === 4);
    over.abort();
    await watching;
    expect(seen).toEqual([
      { type: 'pending', order: 7 },
      { type: 'settled', how: 'completed', by: 'bank', order: 7 },
      { type: 'pending', order: 8 },
      { type: 'settled', how: 'withdrawn', order: 8 },
    ]);
  });
});

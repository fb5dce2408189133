// What becomes of turns whose worker loses the journal, dies or has to end.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { getClusterCall, type ClusterCall } from '../../src/work/session/cluster-call.js';
import type { Journal } from '../../src/journal/journal.js';
import type { RepeatPolicy } from '@inboard/core/answer/mcp/tool/repeat-policy.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, text, toolUse } from '@inboard/testing/script/reply.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { told, WorkerScene, type SceneWorker } from './worker-scene.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });
const SAY = ({ answer }: { answer: { text: string } }) => text(answer.text);

/** A shop whose tool does what the test says, by the number of the run. */
function shopOf(run: (runs: number) => unknown, onRepeat?: RepeatPolicy) {
  const calls: (ClusterCall | undefined)[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    ...(onRepeat && { onRepeat }),
    run: async () => {
      calls.push(getClusterCall());
      return String(await run(calls.length));
    },
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [pay] });
  const options: QueryOptions = { mcpServers: { shop }, allowedTools: [shop] };
  return { options, calls };
}

const codesOf = (worker: SceneWorker): unknown[] =>
  told(worker, 'trouble').map(({ error }) => (error as { code?: unknown }).code);

describe('a worker that loses the journal', () => {
  it('ends its CLI, and another goes on with the call under the same key', async () => {
    const first = createDeferred<string>();
    const { options, calls } = shopOf((runs) => (runs === 1 ? first.promise : 'paid'), 'recorded');
    await using scene = new WorkerScene([[CALL, SAY]], options);
    const one = await scene.work({ leaseMs: 1500 });
    const id = await scene.send('Pay');
    await waitUntil(() => calls.length === 1);
    one.cut();
    const other = await scene.work();
    expect((await scene.ended(id)).outcome?.text).toBe('paid');
    expect(told(one, 'lost')).toMatchObject([{ why: 'unreachable' }]);
    expect(told(other, 'leased')[0]?.takenOverAfterMs).toBeTypeOf('number');
    expect(told(other, 'call-repeated')).toMatchObject([{ answer: 'run' }]);
    expect(calls[1]?.callKey).toBe(calls[0]?.callKey);
    expect(calls[1]?.fence.epoch).toBeGreaterThan(calls[0]?.fence.epoch ?? Infinity);
    first.resolve('paid');
  });

  it('tells of no fault in the agent where a call was about to begin', async () => {
    const { options, calls } = shopOf(() => 'paid');
    await using scene = new WorkerScene([[CALL, SAY]], options);
    const way: { cut?: () => void } = {};
    const journal: Journal = {
      ...scene.journal,
      beginCall: () => {
        way.cut?.();
        return Promise.reject(new Error('away'));
      },
    };
    const one = await scene.work({ leaseMs: 1500 }, { journal });
    way.cut = () => one.cut();
    const id = await scene.send('Pay');
    await waitUntil(() => told(one, 'lost').length === 1);
    await scene.work();
    expect((await scene.ended(id)).outcome?.text).toBe('paid');
    await one.worker.drain();
    expect(codesOf(one)).not.toContain('AROUND_TOOL_FAILED');
    expect(calls).toHaveLength(1);
  });

  it('goes on when the journal is back in time', async () => {
    const first = createDeferred<string>();
    const { options, calls } = shopOf(() => first.promise);
    await using scene = new WorkerScene([[CALL, text('Done.')]], options);
    const worker = await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(() => calls.length === 1);
    worker.cut();
    first.resolve('paid');
    await waitUntil(() => told(worker, 'trouble').length > 2);
    worker.heal();
    expect((await scene.ended(id)).outcome?.text).toBe('Done.');
    expect(told(worker, 'lost')).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  it('asks no question twice and denies nothing while one is open', async () => {
    const { options, calls } = shopOf(() => 'paid');
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: options.mcpServers });
    const worker = await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(async () => (await scene.journal.questions()).length === 1);
    worker.cut();
    const [question] = await scene.journal.questions();
    await scene.journal.answer(question?.id ?? '', { result: { behavior: 'allow' }, answeredAt: 0 });
    await waitUntil(() => told(worker, 'trouble').length > 1);
    worker.heal();
    // The hint came while the journal was away, and is not repeated.
    expect((await scene.ended(id)).outcome?.text).toBe('paid');
    expect(calls).toHaveLength(1);
  });
});

describe('a call that was begun before', () => {
  it.each([
    ['recorded', 'ended', 'paid before', 0],
    ['unknown', 'ended', 'paid before', 0],
    ['run', 'ended', 'paid again', 1],
    ['recorded', 'begun', 'paid again', 1],
    ['run', 'begun', 'paid again', 1],
    ['unknown', 'begun', /outcome is unknown/, 0],
  ] as const)('gets with "%s", when it was %s: %s', async (onRepeat, state, expected, runs) => {
    const { options, calls } = shopOf(() => 'paid again', onRepeat);
    await using scene = new WorkerScene([[CALL, SAY]], options);
    const keys: string[] = [];
    const { journal } = scene;
    const known = {
      ...journal,
      beginCall: async (fence: never, call: { callKey: string }) => {
        keys.push(call.callKey);
        await journal.beginCall(fence, call as never);
        return state === 'begun'
          ? { state, begun: 1 }
          : { state, begun: 1, result: { content: [{ type: 'text', text: 'paid before' }] } };
      },
    };
    const worker = await scene.work({}, { journal: known });
    const { outcome } = await scene.ended(await scene.send('Pay'));
    expect(outcome?.text).toMatch(expected);
    expect(calls).toHaveLength(runs);
    expect(told(worker, 'call-repeated')).toHaveLength(1);
    expect(keys).toHaveLength(1);
  });
});

describe('a worker that has to end', () => {
  it('lets calls end that are open, begins no other, and hands the turn over', async () => {
    const first = createDeferred<string>();
    const { options, calls } = shopOf((runs) => (runs === 1 ? first.promise : 'paid'));
    const second = toolUse('mcp__shop__pay', { order: 8 });
    await using scene = new WorkerScene(
      [
        [CALL, second, text('Never.')],
        [second, text('Done.')],
      ],
      options,
    );
    const one = await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(() => calls.length === 1);
    const drained = one.worker.drain();
    first.resolve('paid');
    await drained;
    expect(calls).toHaveLength(1);
    expect(told(one, 'turn-handed-over')).toHaveLength(1);
    expect(codesOf(one)).not.toContain('AROUND_TOOL_FAILED');
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'running', tries: 0 });
    const other = await scene.work();
    await scene.ended(id);
    expect(told(other, 'call-repeated')).toEqual([]);
    const { calls: kept } = (await scene.journal.history('chat')) ?? {};
    expect(kept?.map(({ begun, ended }) => [begun, ended])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('lets a turn end that needs no more calls', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Done.'), closed)]]);
    const { worker, events } = await scene.work();
    const id = await scene.send('Hi');
    await closed.reached;
    const drained = worker.drain();
    closed.open();
    await drained;
    expect(await scene.journal.turn('chat', id)).toMatchObject({
      state: 'ended',
      outcome: { text: 'Done.' },
    });
    expect(events.at(-1)?.type).toBe('ended');
  });

  it('hands over what is not over when the time is up', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Never.'), closed)]]);
    const { worker } = await scene.work({ drainMs: 20 });
    const id = await scene.send('Hi');
    await closed.reached;
    await worker.drain();
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'running', attempt: 1, tries: 0 });
    expect((await scene.journal.stats()).leases).toBe(0);
  });

  it('hands over a turn whose agent gives no options, and starts no CLI when it does so later', async () => {
    const asked = createDeferred<void>();
    const options = createDeferred<QueryOptions>();
    await using scene = new WorkerScene([[text('Never.')]], () => {
      asked.resolve();
      return options.promise;
    });
    const one = await scene.work({ drainMs: 20 });
    const id = await scene.send('Hi');
    await asked.promise;
    await one.worker.drain();
    expect(told(one, 'turn-handed-over')).toHaveLength(1);
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'running', attempt: 1, tries: 0 });
    options.resolve({});
    await options.promise;
    await new Promise(setImmediate);
    expect(scene.opened).toEqual([]);
  });

  it.each(['tool', 'canUseTool'] as const)('does not wait for a %s that never ends', async (which) => {
    const begun = createDeferred<void>();
    const never = (): Promise<never> => {
      begun.resolve();
      return new Promise(() => {});
    };
    const { options } = shopOf(never);
    const { mcpServers } = options;
    await using scene = new WorkerScene(
      [[CALL, text('Never.')]],
      which === 'tool' ? options : { mcpServers, canUseTool: never },
    );
    const one = await scene.work({ drainMs: 20 });
    const id = await scene.send('Pay');
    await begun.promise;
    await one.worker.drain();
    expect(told(one, 'turn-handed-over')).toHaveLength(1);
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'running', tries: 0 });
  });

  it('hands over at once what the journal gives it just then', async () => {
    const [asked, given] = [createDeferred<void>(), createDeferred<void>()];
    await using scene = new WorkerScene([[text('Never.')]]);
    const next: Journal['next'] = async (fence) => {
      asked.resolve();
      await given.promise;
      return await scene.journal.next(fence);
    };
    const one = await scene.work({}, { journal: { ...scene.journal, next } });
    const id = await scene.send('Hi');
    await asked.promise;
    const closed = one.worker.close();
    // Behind the timer that hands over what is under way: as long, and set later.
    await new Promise((resolve) => setTimeout(resolve, 1));
    given.resolve();
    await closed;
    expect(told(one, 'turn-handed-over')).toHaveLength(1);
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'running', attempt: 1, tries: 0 });
    expect(scene.opened).toEqual([]);
  });
});

// Steps: one conversation is worked on for a while, by a scheduler of one's own. What they return, how they wait for each other, and
// which CLIs they keep.
import { describe, expect, it, onTestFinished } from 'vitest';
import { allow } from '@inboard/core/answer/permissions/decisions.js';
import { pending } from '@inboard/core/answer/mcp/result/pending.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, reply, text, toolUse } from '@inboard/testing/script/reply.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import type { Cluster } from '../../src/cluster.js';
import type { StepOutcome } from '../../src/step-outcome.js';
import { createCluster } from '../../src/create-cluster.js';
import type { Journal } from '../../src/journal/journal.js';
import type { WorkerEvent } from '../../src/work/host/worker-event.js';
import { WorkerScene } from './worker-scene.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });
const LATER = toolUse('mcp__shop__order', {});
const SAY = ({ answer }: { answer: { text: string } }) => text(answer.text);
/** Two processes of one machine, as far as they can be in one. */
const MINUTE = { keepWarmMs: 60_000, leaseMs: 20_000 };

function createShop() {
  const effects: number[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    run: ({ order }) => `paid ${(effects.push(order), order)}`,
  });
  const order = tool({
    name: 'order',
    description: 'Orders',
    inputSchema: {},
    run: () => pending({ note: 'tomorrow' }),
  });
  const server = createSdkMcpServer({ name: 'shop', tools: [pay, order] });
  return { effects, options: { mcpServers: { shop: server }, allowedTools: [order], onWarning: () => {} } };
}

/** A cluster on the scene's journal, with its agents. */
function clusterOn(scene: WorkerScene, journal: Journal = scene.journal): Cluster {
  const cluster = createCluster({ agents: scene.agents, journal, dispatcher: scene.dispatcher });
  onTestFinished(() => cluster.close());
  return cluster;
}

type Waiting = Extract<StepOutcome, { state: 'waiting' }>;

function expectWaiting(end: StepOutcome): Waiting {
  if (end.state !== 'waiting') throw new Error(`Not waiting: ${JSON.stringify(end)}`);
  return end;
}

const leasesOf = async (scene: WorkerScene): Promise<number> => (await scene.journal.stats()).leases;

describe('a step', () => {
  it('does all there is to do under one lease, and gives it back', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    const cluster = clusterOn(scene);
    await scene.send('1', 'a');
    await scene.send('2', 'b');
    expect(await cluster.step('chat')).toMatchObject({
      state: 'ended',
      outcome: { ok: true, text: 'Two.' },
      turns: [{ id: 'a', outcome: { text: 'One.' } }, { id: 'b' }],
    });
    expect(await cluster.step('chat')).toEqual({ state: 'idle' });
    expect(await cluster.step('nobody')).toEqual({ state: 'unknown' });
    expect([scene.opened.length, await leasesOf(scene)]).toEqual([1, 0]);
  });

  it('ends with the turn that is wanted, and leaves later ones', async () => {
    await using scene = new WorkerScene([[text('One.')], [text('Two.')]]);
    const cluster = clusterOn(scene);
    await scene.send('1', 'a');
    await scene.send('2', 'b');
    const first = { state: 'ended', outcome: { text: 'One.' } };
    expect(await cluster.step('chat', { turn: 'a' })).toMatchObject({ ...first, turns: [{ id: 'a' }] });
    expect((await scene.journal.turn('chat', 'b'))?.state).toBe('queued');
    // Once more, as after a crash of the scheduler: the journal has the outcome.
    expect(await cluster.step('chat', { turn: 'a' })).toMatchObject({ ...first, turns: [] });
    expect(scene.opened).toHaveLength(1);
    expect(await cluster.step('chat', { turn: 'b' })).toMatchObject({ outcome: { text: 'Two.' } });
    expect(await cluster.step('chat', { turn: 'c' })).toEqual({ state: 'unknown' });
    expect(await leasesOf(scene)).toBe(0);
  });

  it('works on the turns before the one that is wanted', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    await scene.send('1', 'a');
    await scene.send('2', 'b');
    const end = await clusterOn(scene).step('chat', { turn: 'b' });
    expect(end).toMatchObject({
      state: 'ended',
      outcome: { text: 'Two.' },
      turns: [{ id: 'a' }, { id: 'b' }],
    });
  });

  it('gives the lease back and ends its CLI if the journal fails when the turn has ended', async () => {
    await using scene = new WorkerScene([[text('One.')]]);
    let isAway = false;
    const journal: Journal = {
      ...scene.journal,
      turn: async (...given) => {
        const found = await scene.journal.turn(...given);
        if (isAway && found?.outcome) throw new Error('The journal is away');
        return found;
      },
    };
    const cluster = clusterOn(scene, journal);
    await scene.send('1', 'a');
    isAway = true;
    await expect(cluster.step('chat', { turn: 'a' })).rejects.toThrow('The journal is away');
    expect(await leasesOf(scene)).toBe(0);
    isAway = false;
    expect(await cluster.step('chat', { turn: 'a' })).toMatchObject({ state: 'ended', turns: [] });
  });

  it('leaves its turn when it is aborted, gives the lease back, and the next one goes on', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Never.'), closed)], [text('Done.')]]);
    const cluster = clusterOn(scene);
    await scene.send('1', 'a');
    const controller = new AbortController();
    const step = cluster.step('chat', { signal: controller.signal });
    await closed.reached;
    controller.abort(new Error('enough'));
    await expect(step).rejects.toMatchObject({ name: 'AbortError' });
    expect(await scene.journal.turn('chat', 'a')).toMatchObject({ state: 'running', attempt: 1, tries: 0 });
    expect(await leasesOf(scene)).toBe(0);
    await expect(cluster.step('chat', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(await cluster.step('chat')).toMatchObject({ state: 'ended', outcome: { ok: true } });
  });

  it('is aborted while it waits for the lease', async () => {
    await using scene = new WorkerScene([[text('One.')]]);
    await scene.send('1', 'a');
    await scene.journal.lease('chat', { owner: 'another', ms: 60_000 });
    const controller = new AbortController();
    const step = clusterOn(scene).step('chat', { waitMs: 60_000, signal: controller.signal });
    controller.abort();
    await expect(step).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is busy while another process has the conversation, and says until when', async () => {
    await using scene = new WorkerScene([[text('One.')]], {}, {}, () => 1000);
    await scene.send('1', 'a');
    await scene.journal.lease('chat', { owner: 'another', ms: 60_000 });
    const before = Date.now();
    const end = await clusterOn(scene).step('chat', { waitMs: 0 });
    expect(end).toMatchObject({ state: 'busy', why: 'held', turns: [] });
    expect(end.state === 'busy' && end.until).toBeGreaterThanOrEqual(before + 60_000);
    expect(scene.opened).toEqual([]);
  });

  it('waits until the lease of a dead process has run out', async () => {
    const clock = { now: 1000 };
    await using scene = new WorkerScene([[text('One.')]], {}, {}, () => clock.now);
    await scene.send('1', 'a');
    await scene.journal.lease('chat', { owner: 'dead', ms: 60_000 });
    let looks = 0;
    const journal: Journal = {
      ...scene.journal,
      lease: (...given) => {
        looks += 1;
        if (looks === 3) clock.now += 60_001;
        return scene.journal.lease(...given);
      },
    };
    const end = await clusterOn(scene, journal).step('chat', { waitMs: 60_000 });
    expect(end).toMatchObject({ state: 'ended', outcome: { text: 'One.' } });
    expect(looks).toBe(3);
  });

  it('is busy until a turn may begin, and until a turn that failed is tried again', async () => {
    await using scene = new WorkerScene([[text('One.')]], () => {
      throw new Error('no agent today');
    });
    const cluster = clusterOn(scene);
    const events: WorkerEvent[] = [];
    const start = { agent: 'helper', data: null };
    await scene.journal.enqueue({ key: 'later', id: 'a', content: '1', start, afterMs: 60_000 });
    expect(await cluster.step('later', { turn: 'a' })).toMatchObject({ state: 'busy', why: 'later' });
    await scene.send('1', 'b');
    const failed = await cluster.step('chat', { onEvent: (event) => events.push(event) });
    expect(failed).toMatchObject({ state: 'busy', why: 'failed' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'trouble', where: 'agent' }));
    await scene.journal.pause({ ms: 60_000, reason: 'busy' });
    await scene.send('1', 'c', 'paused');
    expect(await cluster.step('paused')).toMatchObject({ state: 'busy', why: 'paused' });
  });

  it('loses the conversation where another process has taken it', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Never.'), closed)]]);
    await scene.send('1', 'a');
    const step = clusterOn(scene).step('chat');
    await closed.reached;
    await scene.journal.remove('chat');
    expect(await step).toEqual({ state: 'lost', turns: [] });
  });

  it('loses it where that happens before its turn has begun', async () => {
    await using scene = new WorkerScene([[text('Never.')]]);
    await scene.send('1', 'a');
    const journal: Journal = {
      ...scene.journal,
      next: async (...given) => {
        await scene.journal.remove('chat');
        return await scene.journal.next(...given);
      },
    };
    expect(await clusterOn(scene, journal).step('chat')).toEqual({ state: 'lost', turns: [] });
    expect(scene.opened).toEqual([]);
  });

  it.each<[object, RegExp]>([
    [{ turn: '' }, /"turn" must be/],
    [{ waitMs: -1 }, /"waitMs" must be/],
    [{ signal: {} }, /"signal" must be an AbortSignal/],
  ])('refuses %j', async (options, message) => {
    await using scene = new WorkerScene([]);
    await expect(clusterOn(scene).step('chat', options)).rejects.toThrow(message);
  });
});

describe('a step whose turn waits', () => {
  it('returns the questions and the pending calls, and goes on once all are settled', async () => {
    const shop = createShop();
    await using scene = new WorkerScene([[reply(CALL, LATER), text('Done.')]], {
      ...shop.options,
      claudeCodeVersion: '2.1.325',
    });
    const cluster = clusterOn(scene);
    await scene.send('Pay', 'a');
    const step = () => cluster.step('chat', { turn: 'a', suspendAfterMs: 10 });
    let end = await step();
    const seen = new Set<string>();
    for (; end.state === 'waiting'; end = await step()) {
      expect(end).toMatchObject({ turn: 'a', turnCostUsd: expect.any(Number) as number });
      for (const { id, toolName } of end.questions) {
        seen.add(String(toolName));
        await cluster.approvals.answer(id, allow(), 'ann');
      }
      for (const { callKey, note } of end.questions.length > 0 ? [] : end.pending) {
        seen.add(String(note));
        await cluster.calls.complete(callKey, 'ordered');
      }
    }
    expect(end).toMatchObject({ state: 'ended', outcome: { ok: true, text: 'Done.' } });
    expect([...seen].toSorted()).toEqual(['mcp__shop__pay', 'tomorrow']);
    expect(shop.effects).toEqual([7]);
  });

  it('starts no CLI while there is no answer', async () => {
    const shop = createShop();
    await using scene = new WorkerScene([[CALL, SAY]], shop.options);
    const cluster = clusterOn(scene);
    await scene.send('Pay', 'a');
    const first = expectWaiting(await cluster.step('chat', { suspendAfterMs: 10 }));
    const again = expectWaiting(await cluster.step('chat', { turn: 'a' }));
    expect(again).toEqual({ ...first, turns: [] });
    expect(first.questions).toMatchObject([{ conversation: 'chat', turn: 'a', toolName: 'mcp__shop__pay' }]);
    expect([scene.opened.length, await leasesOf(scene)]).toEqual([1, 0]);
    await cluster.approvals.answer(first.questions[0]?.id ?? '', allow());
    expect(await cluster.step('chat')).toMatchObject({ state: 'ended', outcome: { text: 'paid 7' } });
  });

  it('goes on itself with an answer that comes before it has returned', async () => {
    const shop = createShop();
    await using scene = new WorkerScene([[CALL, SAY]], shop.options);
    let isAnswered = false;
    const journal: Journal = {
      ...scene.journal,
      questions: async (filter) => {
        const open = await scene.journal.questions(filter);
        const { state } = (await scene.journal.turn('chat', 'a')) ?? {};
        const [question] = open;
        if (!isAnswered && state === 'parked' && question) {
          isAnswered = true;
          await scene.journal.answer(question.id, { result: allow(), answeredAt: 0 });
        }
        return open;
      },
    };
    await scene.send('Pay', 'a');
    const end = await clusterOn(scene, journal).step('chat', { suspendAfterMs: 10 });
    expect(end).toMatchObject({ state: 'ended', outcome: { text: 'paid 7' } });
    expect(shop.effects).toEqual([7]);
  });
});

describe('a CLI that a step keeps', () => {
  it('runs the turn of the next step, under the same lease', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    const cluster = clusterOn(scene);
    await scene.send('1', 'a');
    expect(await cluster.step('chat', MINUTE)).toMatchObject({ state: 'ended' });
    expect(await leasesOf(scene)).toBe(1);
    await scene.send('2', 'b');
    // It does nothing by itself.
    expect((await scene.journal.turn('chat', 'b'))?.state).toBe('queued');
    expect(await cluster.step('chat', { ...MINUTE, turn: 'b' })).toMatchObject({
      outcome: { text: 'Two.' },
      turns: [{ id: 'b' }],
    });
    expect(await cluster.step('chat', MINUTE)).toEqual({ state: 'idle' });
    expect([scene.opened.length, (await scene.journal.stats()).takeovers]).toEqual([1, 0]);
    await cluster.close();
  });

  it('tells the listener of the step under way', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    const cluster = clusterOn(scene);
    const told: string[][] = [[], []];
    for (const [index, id] of ['a', 'b'].entries()) {
      await scene.send('Hi', id);
      const onEvent = ({ type }: WorkerEvent): unknown => type === 'turn-ended' && told[index]?.push(id);
      await cluster.step('chat', { ...MINUTE, onEvent });
    }
    expect(told).toEqual([['a'], ['b']]);
  });

  it.each([
    ['its time is over', { ...MINUTE, keepWarmMs: 20 }],
    ['the cluster is closed', MINUTE],
  ])('is ended when %s, and its lease is given back', async (why, options) => {
    await using scene = new WorkerScene([[text('One.')]]);
    const cluster = clusterOn(scene);
    // Keeps the journal open.
    const other = clusterOn(scene);
    await other.stats();
    await scene.send('1', 'a');
    await cluster.step('chat', options);
    if (why.includes('closed')) await cluster.close();
    await waitUntil(async () => (await leasesOf(scene)) === 0);
  });

  it('is ended for work that no step of its process takes', async () => {
    await using scene = new WorkerScene([[text('One.')], [text('Two.')]]);
    const [cluster, other] = [clusterOn(scene), clusterOn(scene)];
    await scene.send('1', 'a');
    await cluster.step('chat', MINUTE);
    await scene.send('2', 'b');
    expect(await other.step('chat', { waitMs: 0 })).toMatchObject({ state: 'busy', why: 'held' });
    expect(await other.step('chat', { waitMs: 60_000 })).toMatchObject({ outcome: { text: 'Two.' } });
    expect(scene.opened).toHaveLength(2);
  });

  it('is ended where the next step has other options, or its lease is lost', async () => {
    await using scene = new WorkerScene([[text('One.')], [text('Two.')], [text('Three.')]]);
    const cluster = clusterOn(scene);
    await scene.send('1', 'a');
    await cluster.step('chat', MINUTE);
    await scene.send('2', 'b');
    expect(await cluster.step('chat', { ...MINUTE, maxAttempts: 2 })).toMatchObject({
      outcome: { text: 'Two.' },
    });
    await scene.journal.remove('chat');
    await scene.send('3', 'c');
    expect(await cluster.step('chat', { ...MINUTE, maxAttempts: 2 })).toMatchObject({
      outcome: { text: 'Three.' },
    });
    expect(scene.opened).toHaveLength(3);
  });
});

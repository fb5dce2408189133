// Places for recovered conversations: they are beyond those for turns, only for recovered ones, and made up for afterwards.
import { describe, expect, it } from 'vitest';
import { Slots } from '../../src/work/slots.js';
import { Sweep } from '../../src/work/sweep.js';
import type { WorkHost } from '../../src/work/host/work-host.js';
import type { Journal } from '../../src/journal/journal.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, text } from '@inboard/testing/script/reply.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { told, WorkerScene, type SceneWorker } from './worker-scene.js';

describe('places', () => {
  it('has some beyond its number for recovered conversations, and gives none of these to others', async () => {
    const slots = new Slots(1, 2);
    expect(await slots.take()).toBe(true);
    expect([slots.free, slots.freeForRecovered]).toEqual([0, 2]);
    expect(await slots.take(1)).toBe(false);
    expect([slots.takeForRecovered(), slots.takeForRecovered(), slots.takeForRecovered()]).toEqual([
      true,
      true,
      false,
    ]);
    expect([slots.free, slots.freeForRecovered]).toEqual([0, 0]);
  });

  it('begins nothing else until places beyond its number are made up for', async () => {
    const slots = new Slots(1, 1);
    await slots.take();
    slots.takeForRecovered();
    const order: string[] = [];
    const waiting = slots.take().then(() => order.push('taken'));
    slots.giveBack();
    expect([slots.free, slots.freeForRecovered]).toEqual([0, 1]);
    await Promise.resolve();
    expect(order).toEqual([]);
    slots.giveBack();
    await waiting;
    expect([slots.free, slots.freeForRecovered]).toEqual([0, 1]);
    slots.giveBack();
    expect([slots.free, slots.freeForRecovered]).toEqual([1, 2]);
  });
});

describe('a sweep', () => {
  it('looks at a recovered conversation as soon as there is a place, and once', async () => {
    const done: string[] = [];
    let room = 0;
    const due = async () => [
      { key: 'recovered', recovered: true },
      { key: 'plain', recovered: false },
    ];
    const host = {
      parts: { journal: { due } },
      settings: { leaseMs: 1000, sweepMs: 600 },
      emit: () => {},
      wake: async (key: string, { urgent }: { urgent: boolean }) => {
        done.push(`${urgent ? 'urgent' : 'plain'} wake of ${key}`);
        return true;
      },
    };
    const sweep = new Sweep({
      host: host as unknown as WorkHost,
      hasRoom: (recovered) => recovered && room > 0,
      look: (key) => done.push(`look at ${key}`),
      sweep: () => done.push('sweep'),
    });
    await sweep.look();
    await sweep.look();
    expect(done).toEqual(['urgent wake of recovered', 'plain wake of plain']);
    room = 1;
    await sweep.look();
    await sweep.look();
    expect(done.slice(2)).toEqual(['look at recovered']);
  });
});

/** A conversation whose worker is gone in the middle of its first turn. */
async function recover(scene: WorkerScene, key: string): Promise<string> {
  const { turn } = await scene.journal.enqueue({
    key,
    id: key,
    content: 'Hi',
    start: { agent: 'helper', data: null },
  });
  const granted = await scene.journal.lease(key, { owner: 'gone', ms: 60_000 });
  if (granted.state !== 'granted') throw new Error(`The lease is ${granted.state}`);
  await scene.journal.next(granted.fence);
  await scene.journal.renew([granted.fence], 1);
  return turn.id;
}

/** A worker whose only place is taken until the gate opens; `swept` resolves when it has looked for what is due once more. */
async function fill(scene: WorkerScene, recoveryConcurrency: number) {
  const looks = { count: 0 };
  const due: Journal['due'] = async (limit) => {
    const found = await scene.journal.due(limit);
    looks.count += 1;
    return found;
  };
  const worker = await scene.work(
    { concurrency: 1, recoveryConcurrency },
    { journal: { ...scene.journal, due } },
  );
  const first = await scene.send('Hi', 'first', 'first');
  const swept = async (): Promise<void> => {
    const before = looks.count;
    await waitUntil(() => looks.count >= before + 2);
  };
  return { worker, first, swept };
}

const begun = (worker: SceneWorker): string[] => told(worker, 'turn-started').map(({ key }) => key);

describe('a worker whose places are taken', () => {
  it('takes a recovered conversation over at once where it has a place for those, and no other', async () => {
    const closed = gate();
    await using scene = new WorkerScene([
      [held(text('First.'), closed)],
      [text('Second.')],
      [text('Third.')],
    ]);
    const { worker, first, swept } = await fill(scene, 1);
    await closed.reached;
    const plain = await scene.send('Hi', 'plain', 'plain');
    const recovered = await recover(scene, 'recovered');
    expect(await scene.ended(recovered, 'recovered')).toMatchObject({ outcome: { text: 'Second.' } });
    expect(told(worker, 'leased').at(-1)?.takenOverAfterMs).toBeTypeOf('number');
    await swept();
    expect(begun(worker)).toEqual(['first', 'recovered']);
    closed.open();
    await scene.ended(first, 'first');
    await scene.ended(plain, 'plain');
    expect(begun(worker)).toEqual(['first', 'recovered', 'plain']);
  });

  it('begins a new turn only when those beyond its number are made up for', async () => {
    const [one, other] = [gate(), gate()];
    await using scene = new WorkerScene([
      [held(text('First.'), one)],
      [held(text('Second.'), other)],
      [text('Third.')],
    ]);
    const { worker, first, swept } = await fill(scene, 1);
    await one.reached;
    const recovered = await recover(scene, 'recovered');
    await other.reached;
    expect(worker.worker.stats().running).toBe(2);
    const plain = await scene.send('Hi', 'plain', 'plain');
    one.open();
    await scene.ended(first, 'first');
    await swept();
    expect(begun(worker)).toEqual(['first', 'recovered']);
    other.open();
    await scene.ended(recovered, 'recovered');
    await scene.ended(plain, 'plain');
  });

  it('lets a recovered conversation wait by default, first in line', async () => {
    const closed = gate();
    await using scene = new WorkerScene([
      [held(text('First.'), closed)],
      [text('Second.')],
      [text('Third.')],
    ]);
    const { worker, swept } = await fill(scene, 0);
    await closed.reached;
    const plain = await scene.send('Hi', 'plain', 'plain');
    const recovered = await recover(scene, 'recovered');
    await swept();
    expect(begun(worker)).toEqual(['first']);
    closed.open();
    await scene.ended(recovered, 'recovered');
    await scene.ended(plain, 'plain');
    expect(begun(worker)).toEqual(['first', 'recovered', 'plain']);
  });

  it('goes on at once with what another worker hands over', async () => {
    const [one, other] = [gate(), gate()];
    await using scene = new WorkerScene([
      [held(text('First.'), one)],
      [held(text('Never.'), other)],
      [text('Second.')],
    ]);
    const { worker, first } = await fill(scene, 1);
    await one.reached;
    const draining = await scene.work({ concurrency: 1, drainMs: 0 });
    const id = await scene.send('Hi', 'handed', 'handed');
    await other.reached;
    await draining.worker.drain();
    expect(await scene.ended(id, 'handed')).toMatchObject({ outcome: { text: 'Second.' } });
    expect(begun(worker)).toEqual(['first', 'handed']);
    one.open();
    await scene.ended(first, 'first');
  });
});

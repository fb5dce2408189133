// How often a worker reports itself and looks for forgotten conversations, on a clock that the test moves.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gate } from '../../../src/testing/script/gate.js';
import { held, text } from '../../../src/testing/script/reply.js';
import { createDeferred } from '../../../src/util/deferred.js';
import { WorkerScene } from './worker-scene.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

describe('a worker', () => {
  it.each([600, 2500, 4000, 4999, 5000, 20_000])(
    'reports every five seconds where it looks around every %i ms, and leaves out no more than every second look',
    async (sweepMs) => {
      await using scene = new WorkerScene([]);
      const report = vi.spyOn(scene.journal, 'reportWorker');
      const look = vi.spyOn(scene.journal, 'due');
      await scene.work({ sweepMs });
      report.mockClear();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(report).toHaveBeenCalledTimes(12);
      const most = Math.floor(60_000 / sweepMs);
      expect(look.mock.calls.length).toBeGreaterThanOrEqual(Math.floor(most / 2));
      expect(look.mock.calls.length).toBeLessThanOrEqual(sweepMs > 2500 ? most : most - 11);
    },
  );

  it('reports while it drains, and no more once it has ended', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Done.'), closed)]]);
    const { worker, events } = await scene.work();
    await scene.send('Hi');
    await closed.reached;
    const report = vi.spyOn(scene.journal, 'reportWorker');
    const drained = worker.drain();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(report.mock.calls.map(([{ draining, running }]) => [draining, running])).toEqual(
      Array.from({ length: 4 }, () => [true, 1]),
    );
    closed.open();
    await drained;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(report).toHaveBeenCalledTimes(4);
    expect(events.at(-1)?.type).toBe('ended');
  });

  it('is on the list until it has ended, also where its last report was late', async () => {
    await using scene = new WorkerScene([]);
    const { worker } = await scene.work();
    expect(await scene.journal.workers()).toHaveLength(1);
    const late = createDeferred<undefined>();
    const write = scene.journal.reportWorker.bind(scene.journal);
    const report = vi.spyOn(scene.journal, 'reportWorker');
    report.mockImplementation((record) => late.promise.then(() => write(record)));
    const drained = worker.drain();
    expect(await scene.journal.workers()).toHaveLength(1);
    late.resolve(undefined);
    await drained;
    expect(report).toHaveBeenCalledOnce();
    expect(await scene.journal.workers()).toEqual([]);
  });

  it('ends where it cannot take itself off the list, and says so', async () => {
    await using scene = new WorkerScene([]);
    const { worker, events } = await scene.work();
    vi.spyOn(scene.journal, 'removeWorker').mockRejectedValue(new Error('The database is away.'));
    await worker.drain();
    expect(events.map((event) => event.type)).toEqual(['started', 'draining', 'trouble', 'ended']);
  });
});

// How often a worker reports itself and looks for forgotten conversations, on a clock that the test moves.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterError } from '@inboard/core/errors.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, text } from '@inboard/testing/script/reply.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
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

  it('drains when the journal has become too new for it, and says so', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Done.'), closed)]]);
    const { worker, events } = await scene.work();
    const ended = worker.untilSignal();
    const id = await scene.send('Hi');
    await closed.reached;
    const tooNew = new ClusterError('JOURNAL_VERSION', 'Update the package.');
    vi.spyOn(scene.journal, 'reportWorker').mockRejectedValue(tooNew);
    await vi.advanceTimersByTimeAsync(15_000);
    const types = (): string[] => events.map(({ type }) => type);
    expect(types().slice(-2)).toEqual(['trouble', 'draining']);
    closed.open();
    await expect(ended).rejects.toBe(tooNew);
    const troubles = events.filter((event) => event.type === 'trouble' && event.where === 'journal');
    expect(troubles).toMatchObject([{ error: tooNew }]);
    expect(types().slice(-2)).toEqual(['released', 'ended']);
    expect((await scene.ended(id)).outcome).toMatchObject({ ok: true });
    // A second drain waits for the same end.
    await worker.drain();
  });

  it('warns of that where nobody is told of events, and stays where tables are only missing', async () => {
    await using scene = new WorkerScene([]);
    const { worker } = await scene.work({ onEvent: undefined });
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const report = vi.spyOn(scene.journal, 'reportWorker');
    const cause = new Error('relation "workers" does not exist');
    report.mockRejectedValue(new ClusterError('JOURNAL_VERSION', 'The tables are missing.', { cause }));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(warned).not.toHaveBeenCalled();
    report.mockRejectedValue(new ClusterError('JOURNAL_VERSION', 'Update the package.'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(warned).toHaveBeenCalledWith(`The worker "${worker.name}" ends: Update the package.`, {
      code: 'INBOARD_CLUSTER_TROUBLE',
    });
    await expect(worker.untilSignal()).rejects.toMatchObject({ code: 'JOURNAL_VERSION' });
    warned.mockRestore();
  });

  it('ends where it cannot take itself off the list, and says so', async () => {
    await using scene = new WorkerScene([]);
    const { worker, events } = await scene.work();
    vi.spyOn(scene.journal, 'removeWorker').mockRejectedValue(new Error('The database is away.'));
    await worker.drain();
    expect(events.map((event) => event.type)).toEqual(['started', 'draining', 'trouble', 'ended']);
  });
});

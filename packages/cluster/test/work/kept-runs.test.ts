// The CLIs that are kept after a step: for whom, how long, and that each is taken or ended once.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeptRuns } from '../../src/work/kept-runs.js';
import type { StepWork } from '../../src/work/step-work.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createWork(key = 'chat', { keepWarmMs = 5000, isWarm = true, fits = true } = {}) {
  const told: string[] = [];
  const run: { isWarm: boolean; onWork?: (() => void) | undefined } = { isWarm };
  const work = {
    key,
    run,
    host: { settings: { keepWarmMs } },
    fits: () => fits,
    goOn: () => told.push('goes on'),
    leave: async () => {
      told.push('left');
      await Promise.reject(new Error('The journal is away'));
    },
    close: async () => {
      told.push('closed');
    },
  };
  return { work: work as unknown as StepWork, run, told };
}

describe('a CLI that is kept', () => {
  it('is taken once by the next step, and another may be kept then', async () => {
    const kept = new KeptRuns();
    const { work, run, told } = createWork();
    expect([kept.add(work), kept.has(work)]).toEqual([true, true]);
    expect(await kept.take('chat', {})).toBe(work);
    expect([kept.has(work), run.onWork, told, vi.getTimerCount()]).toEqual([
      false,
      undefined,
      ['goes on'],
      0,
    ]);
    expect(await kept.take('chat', {})).toBeUndefined();
    expect(kept.add(createWork().work)).toBe(true);
  });

  it('is ended after its time, even if the journal is away', async () => {
    const kept = new KeptRuns();
    const { work, told } = createWork();
    kept.add(work);
    await vi.advanceTimersByTimeAsync(4999);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([told, kept.has(work)]).toEqual([['left', 'closed'], false]);
  });

  it('is ended a second after there is work that no step takes', async () => {
    const kept = new KeptRuns();
    const { work, run, told } = createWork();
    kept.add(work);
    run.onWork?.();
    expect(run.onWork).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect([told, vi.getTimerCount()]).toEqual([['left', 'closed'], 0]);
  });

  it('is ended where the next step cannot use it', async () => {
    const kept = new KeptRuns();
    const { work, told } = createWork('chat', { fits: false });
    kept.add(work);
    expect(await kept.take('chat', {})).toBeUndefined();
    expect([told, vi.getTimerCount()]).toEqual([['left', 'closed'], 0]);
  });

  it('is ended with the others when the cluster closes, which keeps none after that', async () => {
    const kept = new KeptRuns();
    const works = ['a', 'b'].map((key) => createWork(key));
    for (const { work } of works) kept.add(work);
    await kept.close();
    expect(works.map(({ told }) => told)).toEqual([
      ['left', 'closed'],
      ['left', 'closed'],
    ]);
    expect(kept.add(createWork('c').work)).toBe(false);
  });
});

describe('a CLI', () => {
  it.each([
    ['is cold', { isWarm: false }],
    ['may not be kept', { keepWarmMs: 0 }],
  ])('is not kept where it %s', (_, how) => {
    expect(new KeptRuns().add(createWork('chat', how).work)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not kept beside another of its conversation', () => {
    const kept = new KeptRuns();
    expect([kept.add(createWork().work), kept.add(createWork().work)]).toEqual([true, false]);
  });
});

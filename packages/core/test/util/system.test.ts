// What the package asks of the system: the real thing itself, until it is replaced.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BackOff } from '../../src/util/back-off.js';
import { randomUUID } from '../../src/util/random-uuid.js';
import { clock, isClockReplaced, type Clock } from '../../src/util/system/clock.js';
import { disk, type Disk } from '../../src/util/system/disk.js';
import { processes, type Processes } from '../../src/util/system/processes.js';
import { randomness, type Randomness } from '../../src/util/system/randomness.js';
import { replaceSystem, type SystemParts } from '../../src/util/system/replace-system.js';
import { sleep } from '../../src/util/timers.js';

const UUID = '00000000-0000-4000-8000-000000000001';

const createClock = (now: number): Clock => ({
  ...({} as Clock),
  Date: { now: () => now },
  setTimeout: (callback) => (callback(), {}) as NodeJS.Timeout,
});
const createRandomness = (): Randomness => ({ uuid: () => UUID, number: () => 0.25 });

/** What is asked now. */
const current = (): SystemParts => ({ clock, disk, processes, randomness });

function replace(parts: SystemParts): () => void {
  const undo = replaceSystem(parts);
  onTestFinished(undo);
  return undo;
}

describe('the parts of the system', () => {
  it('are the real things themselves, so that nothing stands between', () => {
    expect(clock).toBe(globalThis);
    expect(disk).toBe(fs);
    expect(processes).toBe(childProcess);
    expect(isClockReplaced()).toBe(false);
  });

  it('find what a test puts in the place of the globals', async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ now: 5000 });
    expect(clock.Date.now()).toBe(5000);
    const slept = sleep(60_000);
    await vi.advanceTimersByTimeAsync(60_000);
    await slept;
    expect(clock.Date.now()).toBe(65_000);
    expect(isClockReplaced()).toBe(false);
    vi.spyOn(fs, 'statSync').mockReturnValue(undefined);
    expect(disk.statSync('/')).toBe(undefined);
    vi.spyOn(Math, 'random').mockReturnValue(0.75);
    expect(randomness.number()).toBe(0.75);
    vi.restoreAllMocks();
  });
});

describe('replaceSystem', () => {
  it('replaces what is given, for all who ask, until it is undone', async () => {
    const before = current();
    const own = {
      clock: createClock(1),
      disk: {} as Disk,
      processes: {} as Processes,
      randomness: createRandomness(),
    };
    const undo = replace(own);
    expect(current()).toEqual(own);
    expect(isClockReplaced()).toBe(true);
    await sleep(2 ** 30);
    expect(randomUUID()).toBe(UUID);
    const backOff = new BackOff({ firstMs: 100, longestMs: 100, between: [0, 1] });
    expect(backOff.next()).toBe(25);
    undo();
    for (const [name, part] of Object.entries(current()))
      expect(part).toBe(before[name as keyof SystemParts]);
    expect(randomUUID()).not.toBe(UUID);
  });

  it('leaves what is not given, and is undone once', () => {
    const undoFirst = replace({ clock: createClock(1) });
    const undoSecond = replace({ clock: createClock(2) });
    expect([clock.Date.now(), disk]).toEqual([2, fs]);
    undoSecond();
    expect(clock.Date.now()).toBe(1);
    undoFirst();
    undoSecond();
    expect(clock).toBe(globalThis);
  });
});

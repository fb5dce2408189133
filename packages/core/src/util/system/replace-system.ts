// Replaces what this package asks of the system it runs on, for the whole process: for tests, and for a simulator that runs many hosts
// in one process. A replaced part is called by the code that asks, so that an `AsyncLocalStorage` in it knows for which host.
import { replaceClock, type Clock } from './clock.js';
import { replaceDisk, type Disk } from './disk.js';
import { replaceProcesses, type Processes } from './processes.js';
import { replaceRandomness, type Randomness } from './randomness.js';

/** The parts; one that is left out stays as it is. */
export interface SystemParts {
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  readonly disk?: Disk;
  readonly processes?: Processes;
}

/**
 * Puts parts in the place of the current ones; the returned function puts those back. Replace before the code that is to use them
 * begins, and undo after it has ended: a timer of one clock cannot be cleared by another, nor a descriptor of one disk closed.
 */
export function replaceSystem({ clock, randomness, disk, processes }: SystemParts): () => void {
  const undo: (() => unknown)[] = [];
  const put = <Part>(next: Part | undefined, replace: (part: Part) => Part): void => {
    if (next === undefined) return;
    const before = replace(next);
    undo.push(() => replace(before));
  };
  put(clock, replaceClock);
  put(randomness, replaceRandomness);
  put(disk, replaceDisk);
  put(processes, replaceProcesses);
  return () => {
    for (const each of undo.splice(0).toReversed()) each();
  };
}

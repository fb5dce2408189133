// Replaces the parts of the system that this package uses, for the whole process. Tests use it, and so does a
// simulator that runs many hosts in one process. Code calls a replaced part directly, so the part can find out by an
// `AsyncLocalStorage` which host calls it.
import { replaceClock, type Clock } from './clock.js';
import { replaceDisk, type Disk } from './disk.js';
import { replaceProcesses, type Processes } from './processes.js';
import { replaceRandomness, type Randomness } from './randomness.js';

/** The parts to replace. A part that is left out stays as it is. */
export interface SystemParts {
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  readonly disk?: Disk;
  readonly processes?: Processes;
}

/**
 * Puts parts in place of the current ones. The returned function restores the previous ones. Replace before the code
 * that uses the parts begins, and restore after it has ended. A clock cannot clear a timer of another clock, and a
 * disk cannot close a descriptor of another disk.
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

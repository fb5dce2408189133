// Makes sure that no CLI outlives its host, however the host ends. A host that is killed runs no code any more, so on
// POSIX the guardian ends its CLIs. Windows itself ends the children of a dead Node at once, without a grace period. For an
// orderly exit on Windows there is one shared listener, which also ends what the children have started.
import { randomUUID } from '../../../util/random-uuid.js';
import { Guardian, type GuardedChild } from './guardian.js';
import { endWindowsTreesNow } from './windows-tree.js';

/**
 * What happens to a CLI when its host dies. It is killed at once, or it has `graceMs` milliseconds to exit by itself,
 * because its input has ended.
 */
export type WhenHostDies = 'kill' | { graceMs: number };

/** Knows the processes that must end with this one, and ends them in the way of the platform. */
export type HostDeathWatch = Pick<Guardian, 'add' | 'remove' | 'standing'>;

/** Kills the registered processes when a Windows host exits in an orderly way. */
class ExitListener implements HostDeathWatch {
  readonly #pids = new Set<number>();
  readonly #kill = (): void => endWindowsTreesNow([...this.#pids]);

  add({ pid }: GuardedChild): void {
    if (this.#pids.size === 0) process.on('exit', this.#kill);
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    if (this.#pids.delete(pid) && this.#pids.size === 0) process.off('exit', this.#kill);
  }

  standing(): undefined {
    return undefined;
  }
}

/** Creates the watch for a platform. One watch serves all children of this process. */
export function createHostDeathWatch(
  platform: NodeJS.Platform = process.platform,
  shell = '/bin/sh',
): HostDeathWatch {
  return platform === 'win32' ? new ExitListener() : new Guardian(shell);
}

/**
 * The variable that marks everything that a child starts, even if its parent or group changes. A host may itself run
 * below the CLI of another host. Its children then have both marks.
 */
const MARK_VARIABLE = 'INBOARD_MARKS';

const watch = createHostDeathWatch();
let marks = 0;
let hostMark: string | undefined;

/** Ties one child to the host. It is created before the child is started. */
export interface HostBond {
  /** Variables to add to the child's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes this child, with everything below it, end with the host. */
  bind(pid: number): void;
  /** Called when the child and its whole process group are gone. */
  release(): void;
  /** A promise until the guardian runs; see `Child.guarded`. */
  guarded(): Promise<void> | undefined;
}

/** Prepares the bond for one child. */
export function createHostBond(whenHostDies: WhenHostDies = 'kill'): HostBond {
  hostMark ??= randomUUID();
  marks += 1;
  // The semicolon ends the mark, so that the first mark is not found inside the eleventh.
  const mark = `${hostMark}.${marks};`;
  let bound: number | undefined;
  return {
    env: { [MARK_VARIABLE]: `${process.env[MARK_VARIABLE] ?? ''}${mark}` },
    bind(pid) {
      bound = pid;
      watch.add({ pid, mark, graceMs: whenHostDies === 'kill' ? 0 : whenHostDies.graceMs });
    },
    release() {
      if (bound !== undefined) watch.remove(bound);
      bound = undefined;
    },
    guarded: () => (bound === undefined ? undefined : watch.standing()),
  };
}

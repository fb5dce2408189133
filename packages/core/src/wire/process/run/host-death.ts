// Makes sure that no CLI outlives its host, however the host ends. A host that is killed runs no code of its own, so on
// POSIX the guardian does it. Windows ends the children of a dead Node itself (they are in its job), at once and
// without the grace. For an orderly exit on Windows there is one shared listener, which has not been run there.
import { randomUUID } from '../../../util/random-uuid.js';
import { Guardian, type GuardedChild } from './guardian.js';

/**
 * What happens to a CLI whose host died: it is killed at once, or gets some milliseconds to exit because its input
 * ended.
 */
export type WhenHostDies = 'kill' | { graceMs: number };

/** Keeps the list of processes that must end with this one, in the way that the platform needs. */
export type HostDeathWatch = Pick<Guardian, 'add' | 'remove' | 'standing'>;

/** Kills the registered processes when a Windows host exits in an orderly way. */
class ExitListener implements HostDeathWatch {
  readonly #pids = new Set<number>();
  readonly #kill = (): void => {
    for (const pid of this.#pids) {
      try {
        process.kill(pid);
      } catch {
        // The process is gone already.
      }
    }
  };

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

/** The watch for a platform; one for all children of a process. */
export function createHostDeathWatch(
  platform: NodeJS.Platform = process.platform,
  shell = '/bin/sh',
): HostDeathWatch {
  return platform === 'win32' ? new ExitListener() : new Guardian(shell);
}

/**
 * Marks everything that a child starts, even if its parent or group changes. A host may itself run below a CLI of
 * another host: then it has the marks of both.
 */
const MARK_VARIABLE = 'INBOARD_MARKS';

const watch = createHostDeathWatch();
let marks = 0;
let hostMark: string | undefined;

/** The tie between one child and the host, made before the child is started. */
export interface HostBond {
  /** Variables to add to the child's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes this child, with everything below it, end with the host. */
  bind(pid: number): void;
  /** Called when the child is gone, with everything it started in its group. */
  release(): void;
  /** A promise until the child is sure to end with the host, or that turns out to be impossible. After that undefined. */
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

// Makes sure that no CLI outlives its host, however the host ends. A host that is killed runs no code of its own, so on
// POSIX the guardian does it. Windows ends the children of a dead Node on its own (they are in its job), at once and
// whatever grace was asked for; for an orderly exit there is one shared listener, which has not been run on Windows.
import { randomUUID } from '../../../util/random-uuid.js';
import { Guardian, type GuardedChild } from './guardian.js';

/** What happens to a CLI whose host died: it is killed at once, or given some milliseconds to exit because its input ended. */
export type WhenHostDies = 'kill' | { graceMs: number };

/** Keeps the list of what must end with this process, in the way the platform needs. */
export type HostDeathWatch = Pick<Guardian, 'add' | 'remove' | 'standing'>;

/** Kills the registered processes when a Windows host exits in an orderly way. */
class ExitListener implements HostDeathWatch {
  readonly #pids = new Set<number>();
  readonly #kill = (): void => {
    for (const pid of this.#pids) {
      try {
        process.kill(pid);
      } catch {
        // Already gone.
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
 * Marks everything a child starts, whatever becomes of its parents and groups. A host may itself run below a CLI of
 * another host: then the marks of both are in it.
 */
const MARK_VARIABLE = 'INBOARD_MARKS';

const watch = createHostDeathWatch();
let marks = 0;
let hostMark: string | undefined;

/** A child that ends with the host, before and after it was started. */
export interface HostBond {
  /** What the child's environment must have in addition. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on this child, with all below it, ends with the host. */
  bind(pid: number): void;
  /** The child is gone, and all it started in its group. */
  release(): void;
  /** A promise until its end with the host is sure, or cannot be made so; then undefined. */
  guarded(): Promise<void> | undefined;
}

/** Prepares the bond for one child. */
export function createHostBond(whenHostDies: WhenHostDies = 'kill'): HostBond {
  hostMark ??= randomUUID();
  marks += 1;
  // The semicolon ends it: the first mark must not be found in the eleventh.
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

// Makes sure that no CLI outlives its host, however the host ends. A host that is killed runs no code of its own, so on
// POSIX the guardian does it. Windows ends the children of a dead Node on its own (they are in its job); for an orderly
// exit there is one shared listener, which has not been run on Windows.
import { Guardian } from './guardian.js';

/** Kills the registered processes when a Windows host exits in an orderly way. */
class ExitListener {
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

  add(pid: number): void {
    if (this.#pids.size === 0) process.on('exit', this.#kill);
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    if (this.#pids.delete(pid) && this.#pids.size === 0) process.off('exit', this.#kill);
  }
}

/** Keeps the list of what must end with this process, in the way the platform needs. */
export function createHostDeathWatch(
  platform: NodeJS.Platform = process.platform,
  shell = '/bin/sh',
): Pick<Guardian, 'add' | 'remove'> {
  return platform === 'win32' ? new ExitListener() : new Guardian(shell);
}

const watch = createHostDeathWatch();

/** From now on this child (on POSIX: its whole group) ends with the host; the returned function undoes it. */
export function bindToHost(pid: number): () => void {
  watch.add(pid);
  return () => {
    watch.remove(pid);
  };
}

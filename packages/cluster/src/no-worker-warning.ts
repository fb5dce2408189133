// Warns if messages wait in a cluster in memory that has no worker. No other process can see these messages. Without the
// warning, the callers of `outcome()` would wait silently and without end.
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import type { Journal } from './journal/journal.js';

/** Milliseconds that a conversation may wait before the warning. */
export const SAY_AFTER_MS = 5000;

/** The cluster that is watched. */
export interface NoWorkerWarningInput {
  journal: Pick<Journal, 'due' | 'stats' | 'workers'>;
  /** Whether a worker runs in this process, or the program calls `step()`. */
  isWorking: () => boolean;
}

/** Watches one cluster in memory. It does not keep the process alive. The caller that makes it closes it. */
export class NoWorkerWarning {
  readonly #input: NoWorkerWarningInput;
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  constructor(input: NoWorkerWarningInput) {
    this.#input = input;
  }

  /** Call this when a conversation needs a worker, or when a worker has ended. */
  note(): void {
    if (this.#isDone || this.#timer || this.#input.isWorking()) return;
    this.#timer = clock.setTimeout(() => void this.#look(), SAY_AFTER_MS).unref();
  }

  close(): void {
    this.#isDone = true;
    clock.clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    const { journal, isWorking } = this.#input;
    try {
      if (this.#isDone || isWorking()) return;
      // Another cluster object with the same journal may have a worker.
      if ((await journal.workers()).length > 0) return;
      const [due] = await journal.due(1);
      if (due) this.#say(due.key);
      // No conversation is due, but a waiting turn may begin later.
      else if ((await journal.stats()).turns.queued > 0) this.note();
    } catch {
      // The cluster was closed in the meantime.
    }
  }

  #say(key: string): void {
    if (this.#isDone) return;
    this.#isDone = true;
    const code = 'INBOARD_CLUSTER_NOBODY_WORKS';
    warnOnce(
      `This cluster has no worker: the conversation "${key}" has been waiting for ${SAY_AFTER_MS / 1000} seconds. Only this process sees a journal in memory, so start a worker here with "await using worker = await cluster.work()", or give the cluster a journal that workers elsewhere share, such as postgresJournal().`,
      code,
      // Makes the warning appear once for each cluster.
      `${code} ${randomUUID()}`,
    );
  }
}

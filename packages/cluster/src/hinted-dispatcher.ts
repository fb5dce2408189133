// The dispatcher of a cluster that has a journal and no dispatcher: what the journal tells its listeners wakes the workers of this
// process. Every free worker looks, and one gets the lease; that is cheap for a few workers, and what a real dispatcher is for.
import { BackOff } from '@inboard/core/util/back-off.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Dispatcher, DispatcherWork, WakeHandler, WorkSettings } from './dispatch/dispatcher.js';
import { memoryDispatcher } from './dispatch/memory-dispatcher.js';
import type { Journal, JournalChange } from './journal/journal.js';

const RETRIES = { firstMs: 500, longestMs: 10_000 };

/** Wakes by what the journal tells; wakes of this process besides. */
export function hintedDispatcher(journal: Pick<Journal, 'listen'>): Dispatcher {
  const local = memoryDispatcher();
  const wake = ({ key, kind }: JournalChange): void => {
    // Without a key the connection was away: the sweep finds what came meanwhile.
    // One that is closed wakes nobody, also while a worker that was just starting still hears of changes.
    if (key !== undefined && (kind === 'inbox' || kind === 'answer')) void settleQuietly(local.wake(key));
  };
  return {
    wake: (key, options) => local.wake(key, options),
    async work(handler: WakeHandler, settings: WorkSettings): Promise<DispatcherWork> {
      const work = await local.work(handler, settings);
      const listener = new JournalListener(journal, wake, settings.onError);
      await listener.open();
      const pause = async (): Promise<void> => {
        await listener.close();
        await work.pause();
      };
      const close = async (): Promise<void> => {
        await listener.close();
        await work.close();
      };
      return { pause, close, [Symbol.asyncDispose]: close };
    },
    close: () => local.close(),
  };
}

/** Listens to a journal, from when it can be reached until it is closed. */
class JournalListener {
  readonly #journal: Pick<Journal, 'listen'>;
  readonly #onChange: (change: JournalChange) => void;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #backOff = new BackOff(RETRIES);
  #listening: AsyncDisposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    journal: Pick<Journal, 'listen'>,
    onChange: (change: JournalChange) => void,
    onError: ((error: unknown) => void) | undefined,
  ) {
    this.#journal = journal;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Resolves also when the journal is away: it is tried again then. */
  async open(): Promise<void> {
    try {
      const listening = await this.#journal.listen(this.#onChange);
      if (this.#isClosed) await listening[Symbol.asyncDispose]();
      else this.#listening = listening;
    } catch (error) {
      this.#onError?.(error);
      if (this.#isClosed) return;
      this.#timer = clock.setTimeout(() => void this.open(), this.#backOff.next()).unref();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clock.clearTimeout(this.#timer);
    const listening = this.#listening;
    this.#listening = undefined;
    await listening?.[Symbol.asyncDispose]();
  }
}

// The dispatcher of a cluster that has a journal and no dispatcher: what the journal tells its listeners wakes the workers of this
// process. Every free worker looks, and one gets the lease; that is cheap for a few workers, and what a real dispatcher is for.
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import type { Dispatcher, DispatcherWork, WakeHandler, WorkSettings } from './dispatch/dispatcher.js';
import { memoryDispatcher } from './dispatch/memory-dispatcher.js';
import type { Journal, JournalChange } from './journal/journal.js';
import { JournalListener } from './work/host/journal-listener.js';

const RETRIES = { firstMs: 500, longestMs: 10_000 };
/** Conversations that are woken at most when anything may have changed; the sweep finds the others. */
const MOST_DUE = 100;

/** Wakes by what the journal tells; wakes of this process besides. */
export function hintedDispatcher(journal: Pick<Journal, 'listen' | 'due'>): Dispatcher {
  const local = memoryDispatcher();
  // A dispatcher that is closed refuses to wake, while a worker that was just starting still hears of changes.
  const wake = (key: string, urgent = false): void => void settleQuietly(local.wake(key, { urgent }));
  return {
    wake: (key, options) => local.wake(key, options),
    async work(handler: WakeHandler, settings: WorkSettings): Promise<DispatcherWork> {
      const work = await local.work(handler, settings);
      const onTrouble = (error: unknown): void => report(error, settings);
      const due = new DueLook(journal, wake, onTrouble);
      const listener = new JournalListener({
        journal: async () => journal,
        onChange: ({ key, kind = 'inbox' }: Partial<JournalChange> = {}) => {
          // A journal that finds its connection again tells each kind of change without a key: one look is enough.
          if (key === undefined && kind === 'inbox') due.look();
          else if (key !== undefined && (kind === 'inbox' || kind === 'answer')) wake(key);
        },
        onTrouble,
        retries: RETRIES,
      });
      await listener.open();
      const end = async (): Promise<void> => {
        due.end();
        await listener.close();
      };
      // Side by side: a journal that does not answer must not keep the worker taking wakes.
      const pause = async (): Promise<void> => void (await Promise.all([end(), work.pause()]));
      const close = async (): Promise<void> => void (await Promise.all([end(), work.close()]));
      return { pause, close, [Symbol.asyncDispose]: close };
    },
    close: () => local.close(),
  };
}

/** Wakes what is due when hints were missed, so that it need not wait for the next sweep. */
class DueLook {
  readonly #journal: Pick<Journal, 'due'>;
  readonly #wake: (key: string, urgent: boolean) => void;
  readonly #onTrouble: (error: unknown) => void;
  #isLooking = false;
  #isWanted = false;
  #isEnded = false;

  constructor(
    journal: Pick<Journal, 'due'>,
    wake: (key: string, urgent: boolean) => void,
    onTrouble: (error: unknown) => void,
  ) {
    this.#journal = journal;
    this.#wake = wake;
    this.#onTrouble = onTrouble;
  }

  /** Begins to look; while a look is under way, one more follows it. */
  look(): void {
    this.#isWanted = true;
    if (!this.#isLooking) void this.#lookWhileWanted();
  }

  end(): void {
    this.#isEnded = true;
  }

  async #lookWhileWanted(): Promise<void> {
    this.#isLooking = true;
    while (this.#isWanted && !this.#isEnded) {
      this.#isWanted = false;
      try {
        for (const { key, recovered } of await this.#journal.due(MOST_DUE)) this.#wake(key, recovered);
      } catch (error) {
        if (!this.#isEnded) this.#onTrouble(error);
      }
    }
    this.#isLooking = false;
  }
}

function report(error: unknown, { onError }: WorkSettings): void {
  if (onError === undefined) warnOfCallback('listen', error);
  else
    callListener(
      () => onError(error),
      (cause) => warnOfCallback('onError', cause),
    );
}

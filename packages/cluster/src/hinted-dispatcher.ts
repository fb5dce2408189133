// The dispatcher of a cluster that was given no dispatcher. Hints of the journal wake the workers of this process. Every free
// worker looks at each conversation, and one gets the lease. That is cheap for a few workers. Larger clusters need a real
// dispatcher.
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import type { Dispatcher, DispatcherWork, WakeHandler, WorkSettings } from './dispatch/dispatcher.js';
import { memoryDispatcher } from './dispatch/memory-dispatcher.js';
import type { Journal, JournalChange } from './journal/journal.js';
import { JournalListener } from './work/host/journal-listener.js';

const RETRIES = { firstMs: 500, longestMs: 10_000 };
/** The most conversations that are woken after hints were missed. The sweep finds the others. */
const MOST_DUE = 100;

/** Creates a dispatcher that wakes workers by the journal's hints, and by the wakes of this process. */
export function hintedDispatcher(journal: Pick<Journal, 'listen' | 'due'>): Dispatcher {
  const local = memoryDispatcher();
  // A closed dispatcher refuses to wake. A worker that was just starting may still get hints after the close.
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
          // After a lost connection, the journal tells a change of every kind, without a key. One look is enough for all of
          // them.
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
      // Listening and work are ended at the same time. Even if the journal does not answer, the worker must stop taking wakes.
      const pause = async (): Promise<void> => void (await Promise.all([end(), work.pause()]));
      const close = async (): Promise<void> => void (await Promise.all([end(), work.close()]));
      return { pause, close, [Symbol.asyncDispose]: close };
    },
    close: () => local.close(),
  };
}

/** Wakes due conversations after hints were missed, so that they need not wait for the next sweep. */
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

  /** Begins a look. If one is under way, another follows it. */
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

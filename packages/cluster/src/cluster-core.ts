// The state that the parts of a cluster share: the journal, which is opened with the first use, the dispatcher, the waiters for
// changes, and the reporting of troubles. It knows nothing of the parts that use it.
import { ClusterError, InboardError } from '@inboard/core/errors.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { causeTextOf, messageOf } from '@inboard/core/util/message-of.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import type { ClusterTrouble } from './cluster.js';
import type { Dispatcher, WakeOptions } from './dispatch/dispatcher.js';
import type { Journal } from './journal/journal.js';
import { JournalHub } from './journal-hub.js';
import { TurnEnds } from './turn-ends.js';

/** The journal and the dispatcher of a cluster, and the listener for its troubles. */
export interface CoreParts {
  journal: Journal;
  dispatcher: Dispatcher;
  onTrouble: ((trouble: ClusterTrouble) => void) | undefined;
  /** Called when a worker is asked to look at a conversation. */
  onWake?: (() => void) | undefined;
}

// How many clusters of this process use a journal or a dispatcher. The last one closes it.
const users = new WeakMap<object, number>();

/** The shared state of a cluster. */
export class ClusterCore {
  readonly #parts: CoreParts;
  readonly #wakes = new Set<Promise<void>>();
  #opening: Promise<void> | undefined;
  #isClosed = false;
  readonly hub: JournalHub;
  readonly ends = new TurnEnds();

  constructor(parts: CoreParts) {
    this.#parts = parts;
    this.hub = new JournalHub(
      () => this.journal(),
      (error) => this.tell({ where: 'journal', what: 'listen for changes', error }),
    );
    for (const part of [parts.journal, parts.dispatcher]) users.set(part, (users.get(part) ?? 0) + 1);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether the journal has a kind of change that tells only of the end of a turn. */
  get tellsEnded(): boolean {
    return this.#parts.journal.tellsEnded === true;
  }

  get dispatcher(): Dispatcher {
    return this.#parts.dispatcher;
  }

  /** The journal, ready for use. Rejects with a ClusterError once the cluster is closed. */
  async journal(): Promise<Journal> {
    this.check();
    this.#opening ??= this.#open();
    await this.#opening;
    this.check();
    return this.#parts.journal;
  }

  /** Throws a ClusterError once the cluster is closed. */
  check(): void {
    if (this.#isClosed) throw closedError();
  }

  /**
   * Asks a worker to look at a conversation. The caller does not wait for it. A failure is only reported, because the sweep of
   * a worker finds what is due.
   */
  wake(key: string, options: WakeOptions = {}): void {
    if (this.#isClosed) return;
    const wake = this.#wake(key, options).finally(() => this.#wakes.delete(wake));
    this.#wakes.add(wake);
    this.#parts.onWake?.();
  }

  /** Reports a trouble that the cluster recovers from by itself. */
  tell(trouble: ClusterTrouble): void {
    const { onTrouble } = this.#parts;
    if (onTrouble)
      callListener(
        () => onTrouble(trouble),
        (cause) => warnOfCallback('onTrouble', cause),
      );
    else {
      const { where, what, error } = trouble;
      const cause = causeTextOf(error);
      const why = cause === '' ? messageOf(error) : `${messageOf(error)} (cause: ${cause})`;
      const message = `The ${where} of a cluster failed to ${what}; the cluster recovers by itself: ${why}`;
      warnOnce(message, 'INBOARD_CLUSTER_TROUBLE', `INBOARD_CLUSTER_TROUBLE ${where} ${what}`);
    }
  }

  /** Lets nothing new begin, and ends the waiting of everyone who waits for changes. */
  async end(): Promise<void> {
    this.#isClosed = true;
    await this.hub.close();
  }

  /**
   * Closes the dispatcher and the journal, unless another cluster uses them. Tries both, then rejects with the first failure.
   */
  async release(): Promise<void> {
    await Promise.all(this.#wakes);
    const { dispatcher, journal } = this.#parts;
    const faults: unknown[] = [];
    for (const part of [dispatcher, journal]) {
      const left = (users.get(part) ?? 1) - 1;
      users.set(part, left);
      if (left > 0) continue;
      try {
        await part.close();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  async #open(): Promise<void> {
    try {
      await this.#parts.journal.open();
    } catch (error) {
      // The next use tries again.
      this.#opening = undefined;
      throw error;
    }
  }

  async #wake(key: string, options: WakeOptions): Promise<void> {
    try {
      await this.#parts.dispatcher.wake(key, options);
    } catch (error) {
      this.tell({ where: 'dispatcher', what: 'wake a worker', key, error });
    }
  }
}

/** The error for every use of a closed cluster. */
export function closedError(): ClusterError {
  return new ClusterError('CLUSTER_CLOSED', 'The cluster is closed');
}

/**
 * Whether a failure may pass, because the database is away or restarts. A request that the journal refused would be refused
 * again.
 */
export function mayPass(error: unknown): boolean {
  if (error instanceof InboardError) return error.code === 'JOURNAL_UNAVAILABLE';
  return !(error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError);
}

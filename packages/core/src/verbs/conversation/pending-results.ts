// The pending calls of a conversation as the inspector and the rest of the conversation see them: over all of its recorders.
import { loadPart } from '../../util/load-part.js';
import type { OpenedRecords } from './completion/open-records.js';
import type { OpenPending } from './completion/pending-calls.js';

/** What is known of the records of the conversation. */
interface RecordingFacts {
  /** Why calls cannot be recorded, although there are in-process tools. */
  readonly obstacle: string | undefined;
  /** Whether another part of the program adds the facts. */
  readonly isFollowed: boolean;
}

/** One per conversation. */
export class PendingResults {
  readonly #facts: RecordingFacts;
  readonly #opened: () => OpenedRecords | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(facts: RecordingFacts, opened: () => OpenedRecords | undefined) {
    this.#facts = facts;
    this.#opened = opened;
  }

  /** Why a result cannot come later, where there is no recorder. */
  get obstacle(): string | undefined {
    return this.#facts.isFollowed
      ? 'the program that keeps the records of this conversation adds no pending results'
      : this.#facts.obstacle;
  }

  /** The calls that wait for their results now. */
  list(): OpenPending[] {
    return this.#opened()?.recorder?.pending.list() ?? [];
  }

  /** Calls the listener whenever that list has changed. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens to records that were just opened. */
  follow(): void {
    this.#opened()?.recorder?.pending.watch(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  /** Gives a pending call its result. Rejects with a CallError. */
  async complete(
    callKey: string,
    how: { value: unknown } | { error: unknown },
    by?: string,
  ): Promise<void> {
    const { completeCall, describeUnknownKey } = await loadPart(
      () => import('../../calls/pending/complete-call.js'),
    );
    const opened = this.#opened();
    if (!opened) throw describeUnknownKey(callKey);
    await completeCall(opened.records, { callKey, sessionId: opened.sessionId, by }, how);
  }
}

// What an attempt reads and writes about its turn besides its session: how the turn goes on, what is known of its calls, and that it
// was stopped.
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { foldFacts, isOpenPending, type KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import { recoveredOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { LEDGER_PROJECT_KEY, type HeldStore } from './held-store.js';
import { describeStopped, tellStopped } from './tell-stopped.js';
import { findTurn, type FoundTurn } from './turn-start.js';

/** How a turn goes on that is not over. */
export type WorkStart = Extract<FoundTurn, { found: 'new' | 'resumed' | 'continued' }>['found'];

export interface AttemptTranscriptInput {
  readonly sessionId: string;
  /** The uuid of the turn's message. */
  readonly uuid: string;
  readonly store: HeldStore;
  /** Removes the facts about all calls of the conversation. */
  readonly dropCalls: () => Promise<void>;
}

/** One per attempt. */
export class AttemptTranscript {
  readonly #input: AttemptTranscriptInput;
  readonly #records: CallRecords;

  constructor(input: AttemptTranscriptInput) {
    this.#input = input;
    this.#records = input.store.calls({ projectKey: LEDGER_PROJECT_KEY, sessionId: input.sessionId });
  }

  /** Finds out how the turn goes on, or how it ended. */
  async find(): Promise<{ start: WorkStart } | { outcome: AttemptOutcome }> {
    const { store, sessionId, uuid } = this.#input;
    const found = findTurn((await store.loadMain(sessionId)) ?? [], uuid);
    switch (found.found) {
      case 'answered':
        return { outcome: recoveredOutcome({ text: found.text }) };
      case 'stopped':
      case 'passed':
        return { outcome: recoveredOutcome(found.found) };
      default:
        return { start: found.found };
    }
  }

  /** Reads what earlier attempts recorded about the calls of this turn. Facts about earlier turns are removed. */
  async readCalls(start: WorkStart): Promise<KnownCalls> {
    const { uuid, store, dropCalls } = this.#input;
    const known = foldFacts(await this.#records.load());
    const isNewTurn = start !== 'continued' && !known.covers(uuid);
    if (!isNewTurn || known.list().length === 0) return known;
    await store.hold(dropCalls);
    return foldFacts([]);
  }

  /**
   * Writes that the turn was stopped, and withdraws its pending calls. No CLI may have the session. Writes nothing about a turn that has
   * not begun, and returns the outcome of one that had ended before.
   */
  async stop(options: QueryOptions): Promise<AttemptOutcome | undefined> {
    const { store, sessionId } = this.#input;
    for (const { callKey } of foldFacts(await this.#records.load())
      .list()
      .filter(isOpenPending))
      await this.#records.add({ type: 'withdrawn', callKey, at: clock.Date.now() });
    store.forgetLoaded();
    const found = await this.find();
    if ('outcome' in found) return found.outcome;
    if (found.start !== 'continued') return undefined;
    const known = foldFacts(await this.#records.load());
    const describe = (callKey: string): ReturnType<typeof describeStopped> =>
      describeStopped(known.get(callKey));
    await tellStopped({ sessionId, store, projectKey: LEDGER_PROJECT_KEY, options, describe });
    return undefined;
  }
}

// The types of the rules about histories: what a rule is given, and what it returns.
import type { ConversationHistory } from '../records.js';

/**
 * The promises that can be checked in a history. G1: nothing sent is lost. G2: a turn ends once. G3: turns run in order, under
 * one lease at a time. G4: nothing is written under an old epoch. G8: a transcript has no message and no result twice, and no
 * conversation begins anew. G9: a call that has a result keeps it, and is not run again, unless its tool may be repeated. G10:
 * no call runs before it is written down, and the model is never told that a call did not run if it had begun. G11: a question
 * is answered once. G13: events are numbered without gaps.
 */
export type CheckedPromise = 'G1' | 'G2' | 'G3' | 'G4' | 'G8' | 'G9' | 'G10' | 'G11' | 'G13';

/** A promise that was not kept. */
export interface Violation {
  promise: CheckedPromise;
  /** The key of the conversation. */
  key: string;
  /** What is wrong, in a sentence. */
  what: string;
  /** The rows of the journal that show it. */
  rows: readonly unknown[];
}

/** Facts from outside the journal. */
export interface HistoryExpectation {
  /**
   * The messages that were accepted. Those of one conversation are in the order of acceptance. Without this, no message counts
   * as missing.
   */
  sent?: ReadonlyArray<{ key: string; id: string }> | undefined;
  /** The conversations that were removed on purpose. Their messages do not count as missing. */
  removed?: readonly string[] | undefined;
  /** Whether all turns must have ended. Default true. */
  settled?: boolean | undefined;
  /** Whether `prune` was called, so that events and leases may be missing. Default false. */
  pruned?: boolean | undefined;
  /** Whether the message of each turn that ended well must be in the transcript. Default true. */
  transcripts?: boolean | undefined;
  /** The tools with `onRepeat: 'run'`, by the names that the calls have. */
  repeatable?: readonly string[] | undefined;
  /** The runs of handlers, as the handlers themselves reported them. */
  runs?: ReadonlyArray<{ key: string; callKey: string }> | undefined;
  /**
   * Milliseconds by which times in different rows may be wrong, because a database takes the time when a transaction begins.
   * Default 1000.
   */
  slackMs?: number | undefined;
}

/** A rule yields everything that is wrong with one conversation. */
export type HistoryRule = (
  history: ConversationHistory,
  expectation: HistoryExpectation,
) => Iterable<Omit<Violation, 'key'>>;

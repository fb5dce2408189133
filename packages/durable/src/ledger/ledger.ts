// The contract of a ledger: the place that keeps transcripts and call records of conversations, and says which attempt may
// write them. Every write names the fence of its attempt, and the ledger checks the fence inside that write.
import type { CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';

/** The right of one attempt to write a conversation. It is lost as soon as a newer attempt takes the conversation. */
export interface LedgerFence {
  /** The key of the conversation. */
  readonly key: string;
  /** Grows with every attempt that takes the conversation. */
  readonly epoch: number;
  /** The name of the process that took it. */
  readonly owner: string;
}

/** A conversation that an attempt has taken. */
export interface TakenConversation {
  readonly fence: LedgerFence;
  /** The id of its session, which the ledger chose when the conversation was first taken. */
  readonly sessionId: string;
}

/** A conversation that cannot be taken yet. */
export interface BusyConversation {
  /** When to try again, in milliseconds since 1970. */
  readonly busyUntil: number;
}

/** The transcripts of a conversation, with the records of its calls. */
export interface LedgerStore extends SessionStore {
  calls(key: { projectKey: string; sessionId: string }): CallRecords;
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
  /** The sessions of all conversations, so that `createCalls` finds the pending calls among them. */
  listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
}

/**
 * Keeps conversations for attempts on any machine. A write under an old fence rejects with an error whose `fatal` is true, and
 * has no effect. That must hold even if the process was stopped just before the write, so the fence is checked in the same
 * transaction as the write. `describeLedger` of `inboard/testing` checks a ledger of your own.
 */
export interface Ledger {
  /**
   * Takes a conversation, whether or not another attempt has it: the newest attempt wins. A ledger that would rather wait for
   * the attempt before returns when to try again.
   */
  take(key: string, options: { owner: string }): Promise<TakenConversation | BusyConversation>;
  /** Whether no newer attempt has taken the conversation. */
  holds(fence: LedgerFence): Promise<boolean>;
  /**
   * The transcripts and call records, to be read and written under this fence. The fence is also the claim to complete calls:
   * `claim()` grants it, and its `renew()` is false once the fence is lost. Without a fence, transcripts and records can be read,
   * and `add()` takes only the fact that ends a pending call, because that may come from any process.
   */
  store(fence?: LedgerFence): LedgerStore;
  /** Removes the facts about all calls of the conversation. An attempt does that before a new turn begins. */
  dropCalls(fence: LedgerFence): Promise<void>;
  /** Removes a conversation with everything that is kept of it. Attempts that have it lose their fence. */
  forget(key: string): Promise<void>;
}

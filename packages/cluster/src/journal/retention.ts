// The types of a retention policy: how long a journal keeps what would otherwise grow for ever.
import type { Caller } from './filters.js';

/**
 * How long to keep what is no longer needed, in milliseconds. What is not named is kept for ever. A conversation with a turn
 * that has not ended, an unanswered question, a pending call or a valid lease keeps everything.
 */
export interface RetentionPolicy {
  /**
   * Events of turns, after the end of the turn; also old leases, except the newest of each worker. The events of the last turn
   * that has run stay until the conversation is closed: they tell the next turn how it ended.
   */
  eventsMs?: number | undefined;
  /** Records of tool calls and answered questions, after the end of the turn. */
  callsMs?: number | undefined;
  /** Transcripts of closed conversations, after the last change. Those of others are needed to continue. */
  transcriptsMs?: number | undefined;
  /** Whole conversations, idle or closed, after the last change. */
  conversationsMs?: number | undefined;
  /** Entries of the audit. */
  auditMs?: number | undefined;
}

/** A policy, and how often it is applied. */
export interface RetentionOptions extends RetentionPolicy {
  /** Milliseconds between two runs, in the whole cluster. Default: a day, at least a second. */
  everyMs?: number | undefined;
}

/** What a retention policy is about. */
export type RetentionKind = 'events' | 'calls' | 'transcripts' | 'conversations' | 'audit';

/** All kinds, in the order in which they are removed. */
export const RETENTION_KINDS: readonly RetentionKind[] = [
  'conversations',
  'transcripts',
  'calls',
  'events',
  'audit',
];

/** How old something must be, and whether and by whom it is removed. */
export interface RetentionRun extends Caller {
  /** Removes it. Without, it is only counted. Default false. */
  apply?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called between two statements, before more is removed. False ends the run. */
  keepOn?: (() => Promise<boolean>) | undefined;
}

/** What was removed, or would be, by kind. Only kinds that the policy names. */
export interface RetentionReport {
  applied: boolean;
  /** False if the run ended before everything was looked at. */
  isWhole: boolean;
  /** `bytes` is about what the rows take up; parts of large values count with whole conversations only. */
  kinds: Partial<Record<RetentionKind, { rows: number; bytes: number }>>;
  /** Conversations that the run went past, because a statement about them failed or took too long. Absent if there are none. */
  failed?: Array<{ kind: RetentionKind; conversationNumber: number; reason: string }> | undefined;
}

/** The age of a kind in a policy; undefined if it is kept. */
export function ageOf(policy: RetentionPolicy, kind: RetentionKind): number | undefined {
  return policy[`${kind}Ms`];
}

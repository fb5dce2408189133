// The questions of a journal: those that people answer, and the places of results that come later. A pending call is kept as a
// question of its own kind, because a journal already takes one answer only, and lets a parked turn go on with it.
import type {
  ApprovalAnswer,
  ApprovalQuestion,
} from '@inboard/core/answer/permissions/approvals/approval.js';
import type { PendingOutput, RecordedResult } from '@inboard/core/wire/protocol/config/call-records.js';

/** What a pending call says about itself, and what a process needs to complete it. */
export interface PendingFacts {
  callKey: string;
  note?: string | undefined;
  output?: PendingOutput | undefined;
}

/**
 * A question as a worker asks it. One of the kind `pending` asks no person: it keeps the place of a result that comes later,
 * and its answer is that result.
 */
export interface NewJournalQuestion extends Omit<ApprovalQuestion, 'kind'> {
  kind: ApprovalQuestion['kind'] | 'pending';
  /** Set for the kind `pending`. */
  pending?: PendingFacts | undefined;
}

/** An answer to a question. Only the answer to a pending call has a result. */
export interface JournalAnswer extends ApprovalAnswer {
  ended?: RecordedResult | undefined;
  /** Tells two attempts to complete the call apart. */
  completion?: string | undefined;
}

/** A question in the journal, with the conversation it comes from, and its answer once there is one. */
export interface JournalQuestion extends NewJournalQuestion {
  conversation: string;
  turn: string;
  tenant?: string | undefined;
  answer?: JournalAnswer;
}

/** Whether people are asked. A pending call asks no person. */
export function isApproval(
  question: JournalQuestion,
): question is JournalQuestion & { kind: ApprovalQuestion['kind'] } {
  return question.kind !== 'pending';
}

/** The id of the question that keeps the place of a call's result. The key alone is the id of the permission question. */
export function pendingIdOf(callKey: string): string {
  return `${PENDING_START}${callKey}`;
}

/** The key of the call whose result has this question. */
export function callKeyOf(pendingId: string): string {
  return pendingId.slice(PENDING_START.length);
}

/** Whether this may be the id of a pending call. The question itself says whether it is one. */
export function isPendingId(id: string): boolean {
  return id.startsWith(PENDING_START);
}

const PENDING_START = 'pending_';

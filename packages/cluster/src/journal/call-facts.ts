// What a journal keeps of calls and questions, as the facts that the completion of a call reads. The worker that has the lease adds
// them by `beginCall`, `endCall` and `ask`; here they are only read.
import { firstIdOf } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { CallFact, CallRecords, RecordedCall } from '@inboard/core/wire/protocol/config/call-records.js';
import type { CallRecord, ClusterApproval, ClusterEvent, Json } from './records.js';

/** How a call that is not over is kept: a handler that waits for a person has done nothing yet that must not be done twice. */
export const WAITING = 'inboard:waiting-for-person';
/** It went on. */
export const WORKING = 'inboard:working';

/** What is kept of the turns of a conversation that are not over. */
export interface KeptCalls {
  /** The uuids of their messages. */
  readonly messages: readonly string[];
  readonly calls: readonly (CallRecord & { begun: number; result?: Json | undefined })[];
  readonly questions: readonly ClusterApproval[];
  /** What was written about these turns without a lease, in order: answers, and turns that an answer let go on. */
  readonly events: readonly ClusterEvent[];
}

/** Of a conversation without turns under way. */
export const NOTHING_KEPT: KeptCalls = { messages: [], calls: [], questions: [], events: [] };

/** The records of a conversation's calls, for the worker that has its lease: the fence is the claim. */
export function createJournalCallRecords(read: () => Promise<KeptCalls>): CallRecords {
  return {
    readOnly: true,
    add: () => {},
    load: async () => listFacts(await read()),
    // A write under a lost lease fails by itself.
    claim: async () => ({ renew: async () => true, release: async () => {} }),
  };
}

function listFacts({ messages, calls, questions, events }: KeptCalls): CallFact[] {
  const parked = findAnsweredWhileParked(events);
  return [
    ...messages.map((message) => ({ type: 'covers' as const, message, owner: '', at: 0 })),
    ...questions
      .filter(({ kind }) => kind === 'permission')
      .flatMap((question) => describeQuestion(question, parked.has(question.id))),
    ...calls.flatMap(describeCall),
  ];
}

/**
 * The questions that were answered while their turn was parked: the answer let the turn go on, in the same transaction. The CLI that
 * asked had been ended, and answers are kept from it while a turn is being parked.
 */
function findAnsweredWhileParked(events: readonly ClusterEvent[]): Set<string> {
  const found = new Set<string>();
  for (const [index, event] of events.entries()) {
    const next = events[index + 1];
    if (event.type !== 'answer' || next?.type !== 'turn' || next.state !== 'running') continue;
    if (next.id === event.id + 1 && next.turn === event.turn) found.add(event.question);
  }
  return found;
}

/** A permission question has the key of its call as its id; one that was asked again has it, too, with a number behind it. */
function describeQuestion(approval: ClusterApproval, withoutCli: boolean): CallFact[] {
  const callKey = firstIdOf(approval.id);
  const { toolName = '', input, askedAt: at, answer } = approval;
  const {
    kind: _kind,
    attempt: _attempt,
    sessionId: _session,
    conversation: _key,
    turn: _turn,
    ...rest
  } = approval;
  const {
    id: _id,
    toolName: _name,
    input: _input,
    askedAt: _at,
    answer: _answer,
    tenant: _tenant,
    ...question
  } = rest;
  const asked: CallFact = { type: 'asked', callKey, toolName, input, question, at };
  if (!answer) return [asked];
  const { result, answeredAt, by } = answer;
  const answered = { type: 'answered' as const, callKey, answer: result, by, at: answeredAt };
  return [asked, withoutUndefined({ ...answered, ...(withoutCli && { withoutCli }) })];
}

function describeCall({ callKey, toolName, input, begun, result }: KeptCalls['calls'][number]): CallFact[] {
  const ranInput = isRecord(input) ? input : {};
  const call: RecordedCall = { callKey, toolName, input: ranInput };
  // The input that a person allowed, or that a hook made, may differ from the one the model asked for. The call runs again with the
  // same input.
  const facts: CallFact[] = [{ type: 'begun', ...call, ranInput, attempt: begun, owner: '', at: 0 }];
  if (result === WAITING) facts.push({ type: 'waiting', callKey, at: 0 });
  else if (isRecord(result)) facts.push({ type: 'ended', callKey, result, at: 0 });
  return facts;
}

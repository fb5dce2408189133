// Turns the calls and questions of a journal into the facts that the completion of a call reads. This file only reads. The
// worker that has the lease writes with `beginCall`, `endCall` and `ask`.
import { firstIdOf } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import { foldFacts, type KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type {
  CallFact,
  CallRecords,
  RecordedCall,
  RecordedResult,
} from '@inboard/core/wire/protocol/config/call-records.js';
import { callKeyOf, isPendingId, type JournalQuestion } from './journal-question.js';
import type { CallRecord, ClusterEvent, ConversationHistory, Json } from './records.js';

/**
 * Stored in place of a result while a handler waits for a person. Such a handler has done nothing yet that must not be
 * repeated.
 */
export const WAITING = 'inboard:waiting-for-person';
/** Stored in place of a result once such a handler goes on. */
export const WORKING = 'inboard:working';

/** The result of a pending call that was answered like a question, by a program that does not know the kind. */
export const NO_RESULT: RecordedResult = {
  content: [{ type: 'text', text: 'The call was answered like a question to a person, without a result.' }],
  isError: true,
};

/** What is stored about the turns of a conversation that have not ended. */
export interface KeptCalls {
  /** The uuids of the messages of these turns. */
  readonly messages: readonly string[];
  readonly calls: readonly (CallRecord & { begun: number; result?: Json | undefined })[];
  readonly questions: readonly JournalQuestion[];
  /**
   * The events of these turns that were written without a lease, in order. They tell of answers, and of parked turns that an
   * answer let go on.
   */
  readonly events: readonly ClusterEvent[];
}

/** The value for a conversation without turns under way. */
export const NOTHING_KEPT: KeptCalls = { messages: [], calls: [], questions: [], events: [] };

/** The call records of a conversation, for the worker that has its lease. The fence takes the place of a claim. */
export function createJournalCallRecords(read: () => Promise<KeptCalls>): CallRecords {
  return {
    readOnly: true,
    add: () => {},
    load: async () => listFacts(await read()),
    // The claim needs no renewal, because the journal refuses a write under a lost lease.
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
    // These come behind the begin of their calls.
    ...questions.flatMap(describePending),
  ];
}

/**
 * What is known of the calls of a conversation, also of turns that have ended. A pending call whose question went with its turn was
 * withdrawn.
 */
export function foldHistory({ calls, questions, events }: ConversationHistory): KnownCalls {
  const kept = new Set(questions.map(({ id }) => id));
  const facts = listFacts({ messages: [], calls, questions, events: [] });
  const gone = events.flatMap((event) =>
    event.type === 'question' && isPendingId(event.question) && !kept.has(event.question)
      ? [callKeyOf(event.question)]
      : [],
  );
  return foldFacts([
    ...facts,
    ...gone.flatMap((callKey): CallFact[] => [
      { type: 'pending', callKey, at: 0 },
      { type: 'withdrawn', callKey, at: 0 },
    ]),
  ]);
}

/**
 * Finds the questions that were answered while their turn was parked. The answer let the turn go on in the same transaction, so
 * the event of the answer is followed by that of the turn. The CLI that asked never saw the answer, because it had ended. While
 * a turn is being parked, answers are held back from its CLI.
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

/**
 * Turns a question into facts. The id of a permission question is the key of its call. If the question was asked again, a
 * number follows the key.
 */
function describeQuestion(approval: JournalQuestion, withoutCli: boolean): CallFact[] {
  const callKey = firstIdOf(approval.id);
  const { toolName = '', input, askedAt: at, answer } = approval;
  const {
    kind: _kind,
    pending: _pending,
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

/** The facts of a pending call. The answer to its question is its result. */
export function describePending({ pending, askedAt, answer }: JournalQuestion): CallFact[] {
  if (!pending) return [];
  const { callKey, note, output } = pending;
  const fact: CallFact = withoutUndefined({
    type: 'pending' as const,
    callKey,
    note,
    output,
    at: askedAt,
  });
  if (!answer) return [fact];
  const { ended: result = NO_RESULT, by, completion, answeredAt: at } = answer;
  return [fact, withoutUndefined({ type: 'ended' as const, callKey, result, by, completion, at })];
}

function describeCall({ callKey, toolName, input, begun, result }: KeptCalls['calls'][number]): CallFact[] {
  const ranInput = isRecord(input) ? input : {};
  const call: RecordedCall = { callKey, toolName, input: ranInput };
  // The input that a person allowed, or that a hook made, may differ from the model's input. A repeated call runs with this
  // same input.
  const facts: CallFact[] = [{ type: 'begun', ...call, ranInput, attempt: begun, owner: '', at: 0 }];
  if (result === WAITING) facts.push({ type: 'waiting', callKey, at: 0 });
  else if (isRecord(result)) facts.push({ type: 'ended', callKey, result, at: 0 });
  return facts;
}

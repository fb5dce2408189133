// What a journal keeps of calls and questions, as the facts that the completion of a call reads. The worker that has the lease adds
// them by `beginCall`, `endCall` and `ask`; here they are only read.
import { isRecord } from '../../util/guards.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { CallFact, CallRecords, RecordedCall } from '../../wire/protocol/config/call-records.js';
import type { CallRecord, ClusterApproval, Json } from './records.js';

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
}

/** The records of a conversation's calls for whoever has its lease: the fence is the claim. */
export function createJournalCallRecords(read: () => Promise<KeptCalls>): CallRecords {
  return {
    readOnly: true,
    add: () => {},
    load: async () => listFacts(await read()),
    // A write under a lost lease fails by itself.
    claim: async () => ({ renew: async () => true, release: async () => {} }),
  };
}

function listFacts({ messages, calls, questions }: KeptCalls): CallFact[] {
  return [
    ...messages.map((message) => ({ type: 'covers' as const, message, owner: '', at: 0 })),
    ...questions.filter(({ kind }) => kind === 'permission').flatMap(describeQuestion),
    ...calls.flatMap(describeCall),
  ];
}

/** A permission question has the key of its call as its id. */
function describeQuestion(approval: ClusterApproval): CallFact[] {
  const { id: callKey, toolName = '', input, askedAt: at, answer } = approval;
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
  return [
    asked,
    withoutUndefined({ type: 'answered' as const, callKey, answer: result, by, at: answeredAt }),
  ];
}

function describeCall({ callKey, toolName, input, begun, result }: KeptCalls['calls'][number]): CallFact[] {
  const call: RecordedCall = { callKey, toolName, input: isRecord(input) ? input : {} };
  const facts: CallFact[] = [{ type: 'begun', ...call, attempt: begun, owner: '', at: 0 }];
  if (result === WAITING) facts.push({ type: 'waiting', callKey, at: 0 });
  else if (isRecord(result)) facts.push({ type: 'ended', callKey, result, at: 0 });
  return facts;
}

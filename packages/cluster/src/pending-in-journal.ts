// Finds the pending calls of a journal, and gives them their results. The journal takes one answer to a question, so of many
// results at once it takes one.
import { completeCall, type PendingValue } from '@inboard/core/calls/pending/complete-call.js';
import { CallError } from '@inboard/core/errors.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { CallFact, CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { ClusterPendingCall } from './step-outcome.js';
import { describePending } from './journal/call-facts.js';
import type { Journal } from './journal/journal.js';
import { isApproval, pendingIdOf, type JournalQuestion } from './journal/journal-question.js';

/** On whose behalf, and by whom, a call is completed. */
export interface CallCompleter {
  by: string | undefined;
  tenant: string | undefined;
}

/**
 * Gives a pending call its result. Returns the key of its conversation. Rejects with a CallError if the call is unknown or over,
 * or if the value does not fit.
 */
export async function completePending(
  journal: Journal,
  callKey: string,
  outcome: PendingValue,
  { by, tenant }: CallCompleter,
): Promise<string> {
  const found = await findPending(journal, callKey, tenant);
  if (!found) throw unknownCall(callKey);
  const { conversation, sessionId = conversation } = found;
  const records: CallRecords = {
    load: async () => {
      const question = await findPending(journal, callKey, tenant);
      return question ? describeFacts(question) : [];
    },
    add: (fact) => answerPending(journal, fact, tenant),
    // The journal takes one answer only, so that no claim is needed.
    claim: async () => ({ renew: async () => true, release: async () => {} }),
  };
  await completeCall(records, { callKey, sessionId, by }, outcome);
  return conversation;
}

/** Stores the result as the answer to the question that keeps its place. */
async function answerPending(journal: Journal, fact: CallFact, tenant: string | undefined): Promise<void> {
  if (fact.type !== 'ended') return;
  const { callKey, result: ended, by, completion, at: answeredAt } = fact;
  const result =
    ended.isError === true
      ? ({ behavior: 'deny', message: 'The call failed.' } as const)
      : ({ behavior: 'allow' } as const);
  const answer = withoutUndefined({ result, answeredAt, by, ended, completion });
  await journal.answer(pendingIdOf(callKey), answer, withoutUndefined({ tenant }));
}

/** The question that keeps the place of a call's result, with its answer if there is one. */
export async function findPending(
  journal: Journal,
  callKey: string,
  tenant: string | undefined,
): Promise<JournalQuestion | undefined> {
  const filter = withoutUndefined({ id: pendingIdOf(callKey), tenant, answered: true });
  return (await journal.questions(filter)).find(isPending);
}

function describeFacts(question: JournalQuestion): CallFact[] {
  const { pending, toolName = '', input, attempt, askedAt: at } = question;
  const callKey = pending?.callKey ?? '';
  return [{ type: 'begun', callKey, toolName, input, attempt, owner: '', at }, ...describePending(question)];
}

/** A pending call, as the list shows it. */
export function describePendingCall(question: JournalQuestion): ClusterPendingCall {
  const { pending, conversation, tenant, sessionId = '', toolName = '', input, askedAt } = question;
  const { callKey = '', note } = pending ?? {};
  const call = { callKey, sessionId, conversation, tenant, toolName, input, note, since: askedAt };
  return withoutUndefined(call);
}

/** Whether a question keeps the place of a result. */
export function isPending(question: JournalQuestion): question is JournalQuestion {
  return !isApproval(question);
}

function unknownCall(callKey: string): CallError {
  return new CallError(
    'CALL_UNKNOWN',
    callKey,
    `This journal has no pending call "${callKey}". Check the key. If its turn was interrupted or its conversation removed, no result is taken any more. If its handler has just returned, the journal may have it in a moment.`,
  );
}

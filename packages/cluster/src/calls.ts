// Completes, lists and watches pending calls of all conversations. Any process that has the journal can do so. The worker that
// runs a turn stores its pending calls (`work/session/pending-waits.ts`).
import { completeCall } from '@inboard/core/calls/pending/complete-call.js';
import type { PendingValue } from '@inboard/core/calls/pending/complete-call.js';
import type { PendingChange } from '@inboard/core/calls/pending/calls.js';
import { CallError, InvalidOptionsError } from '@inboard/core/errors.js';
import { checkShape, filledText } from '@inboard/core/util/option-shapes.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { CallFact, CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import { readQuestionFilter } from './approvals.js';
import { checkMethodOptions } from './check-options.js';
import type { ClusterCalls, ClusterPendingCall } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import { describePending } from './journal/call-facts.js';
import { checkName } from './journal/check-names.js';
import type { Journal } from './journal/journal.js';
import { isApproval, pendingIdOf, type JournalQuestion } from './journal/journal-question.js';
import { readQuestions, watchOpenQuestions } from './question-reader.js';

/** On whose behalf, and by whom, a call is completed. */
interface Completer {
  by: string | undefined;
  tenant: string | undefined;
}

export function createClusterCalls(core: ClusterCore): ClusterCalls {
  return {
    complete: async (callKey, value, options) => {
      const completer = readCompleter('calls.complete()', callKey, options);
      await settle(core, callKey, { value }, completer);
    },
    fail: async (callKey, error, options) => {
      const completer = readCompleter('calls.fail()', callKey, options);
      if (!(error instanceof Error) && (typeof error !== 'string' || error === ''))
        throw new InvalidOptionsError(['error'], 'fail() takes the key of a call, and an Error or a text');
      await settle(core, callKey, { error }, completer);
    },
    list: async (filter = {}) => {
      checkMethodOptions('calls.list()', filter);
      const asked = readQuestionFilter(filter);
      return (await readQuestions(await core.journal(), asked, isPending)).map(describeCall);
    },
    watch: (options = {}) => {
      checkMethodOptions('calls.watch()', options);
      const { signal, ...filter } = options;
      core.check();
      return watchCalls(core, readQuestionFilter(filter), signal);
    },
  };
}

async function settle(
  core: ClusterCore,
  callKey: string,
  outcome: PendingValue,
  { by, tenant }: Completer,
): Promise<void> {
  const journal = await core.journal();
  const found = await findQuestion(journal, callKey, tenant);
  if (!found) throw unknownCall(callKey);
  const { conversation, sessionId = conversation } = found;
  const records: CallRecords = {
    load: async () => {
      const question = await findQuestion(journal, callKey, tenant);
      return question ? describeFacts(question) : [];
    },
    add: async (fact) => {
      const { taken, key } = await answerPending(journal, fact, tenant);
      // A parked turn goes on before turns that have not begun.
      if (taken && key !== undefined) core.wake(key, { urgent: true });
    },
    // The journal takes one answer only, so that no claim is needed.
    claim: async () => ({ renew: async () => true, release: async () => {} }),
  };
  await completeCall(records, { callKey, sessionId, by }, outcome);
}

/** Stores the result as the answer to the question that keeps its place. */
async function answerPending(
  journal: Journal,
  fact: CallFact,
  tenant: string | undefined,
): Promise<{ taken: boolean; key?: string | undefined }> {
  if (fact.type !== 'ended') return { taken: false };
  const { callKey, result: ended, by, completion, at: answeredAt } = fact;
  const result =
    ended.isError === true
      ? ({ behavior: 'deny', message: 'The call failed.' } as const)
      : ({ behavior: 'allow' } as const);
  const answer = withoutUndefined({ result, answeredAt, by, ended, completion });
  return await journal.answer(pendingIdOf(callKey), answer, withoutUndefined({ tenant }));
}

async function findQuestion(
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
  return [
    { type: 'begun', callKey, toolName, input, attempt, owner: '', at },
    ...describePending(question),
  ];
}

function describeCall(question: JournalQuestion): ClusterPendingCall {
  const { pending, conversation, tenant, sessionId = '', toolName = '', input, askedAt } = question;
  const { callKey = '', note } = pending ?? {};
  const call = { callKey, sessionId, conversation, tenant, toolName, input, note, since: askedAt };
  return withoutUndefined(call) as ClusterPendingCall;
}

function isPending(question: JournalQuestion): question is JournalQuestion {
  return !isApproval(question);
}

async function* watchCalls(
  core: ClusterCore,
  filter: { key?: string | undefined; tenant?: string | undefined },
  signal: AbortSignal | undefined,
): AsyncGenerator<PendingChange & { call: ClusterPendingCall }, undefined> {
  let before = new Map<string, JournalQuestion>();
  for await (const open of watchOpenQuestions(core, filter, signal, isPending)) {
    const now = new Map(open.map((question) => [question.id, question]));
    const gone = [...before.values()].filter(({ id, attempt }) => now.get(id)?.attempt !== attempt);
    const fresh = open.filter(({ id, attempt }) => before.get(id)?.attempt !== attempt);
    before = now;
    for (const question of gone) yield await describeEnd(await core.journal(), question);
    for (const question of fresh) yield { type: 'pending', call: describeCall(question) };
  }
  return undefined;
}

/** How a call that was pending was settled. */
async function describeEnd(
  journal: Journal,
  question: JournalQuestion,
): Promise<PendingChange & { call: ClusterPendingCall }> {
  const call = describeCall(question);
  const answer = (await findQuestion(journal, call.callKey, undefined))?.answer;
  if (!answer) return { type: 'settled', call, how: 'withdrawn' };
  const how = answer.result?.behavior === 'allow' ? 'completed' : 'failed';
  return { type: 'settled', call, how, ...(answer.by !== undefined && { by: answer.by }) };
}

function readCompleter(
  method: 'calls.complete()' | 'calls.fail()',
  callKey: unknown,
  options: { by?: string | undefined; tenant?: string | undefined } | undefined,
): Completer {
  checkMethodOptions(method, options);
  checkName('callKey', callKey);
  const { by, tenant } = options ?? {};
  checkShape('by', by, filledText);
  if (tenant !== undefined) checkName('tenant', tenant);
  return { by, tenant };
}

function unknownCall(callKey: string): CallError {
  return new CallError(
    'CALL_UNKNOWN',
    callKey,
    `This journal has no pending call "${callKey}". Check the key. If its turn was interrupted or its conversation removed, no result is taken any more. If its handler has just returned, the journal may have it in a moment.`,
  );
}

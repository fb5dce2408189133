// The pending calls of a cluster, as its users see them. Any process that has the journal can complete them. The worker that runs
// a turn stores its pending calls (`work/session/pending-waits.ts`).
import type { PendingValue } from '@inboard/core/calls/pending/complete-call.js';
import type { PendingChange } from '@inboard/core/calls/pending/calls.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { readQuestionFilter } from './approvals.js';
import { checkMethodOptions } from './check-options.js';
import type { ClusterCalls } from './cluster.js';
import type { ClusterPendingCall } from './step-outcome.js';
import type { ClusterCore } from './cluster-core.js';
import { checkBy, checkName } from './journal/check-names.js';
import type { Journal } from './journal/journal.js';
import type { JournalQuestion } from './journal/journal-question.js';
import {
  completePending,
  describePendingCall,
  findPending,
  isPending,
  type CallCompleter,
} from './pending-in-journal.js';
import { readQuestions, watchOpenQuestions } from './question-reader.js';

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
      return (await readQuestions(await core.journal(), asked, isPending)).map(describePendingCall);
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
  completer: CallCompleter,
): Promise<void> {
  const key = await completePending(await core.journal(), callKey, outcome, completer);
  // A parked turn goes on before turns that have not begun.
  core.wake(key, { urgent: true });
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
    for (const question of fresh) yield { type: 'pending', call: describePendingCall(question) };
  }
  return undefined;
}

/** How a call that was pending was settled. */
async function describeEnd(
  journal: Journal,
  question: JournalQuestion,
): Promise<PendingChange & { call: ClusterPendingCall }> {
  const call = describePendingCall(question);
  const answer = (await findPending(journal, call.callKey, undefined))?.answer;
  if (!answer) return { type: 'settled', call, how: 'withdrawn' };
  const how = answer.result?.behavior === 'allow' ? 'completed' : 'failed';
  return { type: 'settled', call, how, ...(answer.by !== undefined && { by: answer.by }) };
}

function readCompleter(
  method: 'calls.complete()' | 'calls.fail()',
  callKey: unknown,
  options: { by?: string | undefined; tenant?: string | undefined } | undefined,
): CallCompleter {
  checkMethodOptions(method, options);
  checkName('callKey', callKey);
  const { by, tenant } = options ?? {};
  checkBy(by);
  if (tenant !== undefined) checkName('tenant', tenant);
  return { by, tenant };
}

// Where a worker keeps the questions of a session to people: in the journal, under its lease. They are answered from any process.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import {
  IS_REMOVED,
  type RemovalStore,
} from '@inboard/core/answer/permissions/approvals/removed-question.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { HeldQuestions } from '@inboard/durable/attempt/held-questions.js';
import type { Journal } from '../../journal/journal.js';
import { isApproval } from '../../journal/journal-question.js';
import type { CallJournal } from './call-journal.js';
import type { ChangeHub } from '../host/change-hub.js';
import type { HeldLease } from '../host/held-lease.js';
import type { LeaseStore } from './lease-store.js';
import type { SessionTurns } from './session-turns.js';

export interface JournalApprovalsInput {
  journal: Journal;
  lease: HeldLease;
  hub: ChangeHub;
  turns: SessionTurns;
  store: Pick<LeaseStore, 'whenStored'>;
}

/** Asks people through the journal. The caller closes it with its session. */
export function createJournalApprovals(input: JournalApprovalsInput): HeldQuestions {
  const { turns } = input;
  return new HeldQuestions({ store: createJournalApprovalStore(input), onChange: () => turns.review() });
}

/**
 * What an agent asks people with. `calls` returns undefined until the agent has returned its options, because it gets the approvals
 * before the session has its calls.
 */
export function createAgentApprovals(
  questions: HeldQuestions,
  calls: () => CallJournal | undefined,
): Pick<Approvals, 'canUseTool' | 'ask'> {
  return {
    canUseTool: questions.canUseTool,
    ask: async (request, context = {}) => {
      const begun = calls();
      // An agent has a minute to return its options, and its turn cannot be parked before that. A person may need longer.
      if (!begun)
        throw new InvalidOptionsError(
          ['approvals'],
          'approvals.ask() was called before the agent returned its options. Ask in the handler of a tool or in "canUseTool": there the turn can wait for a person as long as it takes.',
        );
      return await begun.waitForPerson(context.callKey, () => questions.ask(request, context));
    },
  };
}

function createJournalApprovalStore({
  journal,
  lease,
  hub,
  turns,
  store,
}: JournalApprovalsInput): RemovalStore {
  const { fence } = lease;
  const { key } = fence;
  return {
    put: async (question) => {
      // If this process dies now, the next one finds the call of each question in the transcript. Otherwise it would begin the
      // turn anew, and the model might ask for something else.
      await store.whenStored();
      return await lease.write(() => journal.ask(fence, turns.turnId(), question));
    },
    answer: async (id, answer) => (await journal.answer(id, answer)).taken,
    // Each hint comes once and leads to one read. So this read is retried until the journal answers.
    get: async (id) => (await lease.write(() => journal.questions({ id, answered: true }))).find(isApproval),
    list: async () => (await journal.questions({ key, answered: true })).filter(isApproval),
    remove: (id) => lease.write(() => journal.withdraw(fence, id)),
    // This is always false. If a question is gone from the journal, the turn or the conversation is over, and that ends the
    // wait.
    [IS_REMOVED]: async () => false,
    watch: (onChange) =>
      hub.on(key, (kind) => {
        if (kind === undefined || kind === 'answer') onChange();
      }),
  };
}

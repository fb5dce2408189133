// Lists, watches and answers the questions that conversations ask people. Any process that has the journal can do so. The
// worker that holds a turn stores its questions (`work/session/journal-approvals.ts`).
import { checkAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import { checkChangedInput } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { checkShape, inWords, anyText } from '@inboard/core/util/option-shapes.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { refuseNonJson } from './check-input.js';
import { checkMethodOptions } from './check-options.js';
import type { ClusterApprovalFilter, ClusterApprovals } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import { checkBy, checkKey, checkName } from './journal/check-names.js';
import type { Journal } from './journal/journal.js';
import { isApproval, isPendingId } from './journal/journal-question.js';
import { readQuestions, watchEachQuestion } from './question-reader.js';

export function createClusterApprovals(core: ClusterCore): ClusterApprovals {
  return {
    list: async (given = {}) => {
      checkMethodOptions('approvals.list()', given);
      const { conversation, tenant, ...others } = given;
      const filter = withoutUndefined({ ...others, ...readQuestionFilter({ conversation, tenant }) });
      const journal = await core.journal();
      return await readQuestions(journal, filter, isApproval);
    },
    answer: async (id, result, by) => {
      checkName('id', id);
      checkAnswer(result);
      refuseNonJson(result, 'result');
      const who = readBy(by);
      const journal = await core.journal();
      await refusePending(journal, id);
      await checkChangedInput(id, result);
      // The journal stores its own time in place of this one.
      const answer = { result, answeredAt: clock.Date.now(), ...(who !== undefined && { by: who }) };
      const { taken, key } = await journal.answer(id, answer);
      // A parked turn goes on before turns that have not begun.
      if (taken && key !== undefined) core.wake(key, { urgent: true });
      return taken;
    },
    watch: (options = {}) => {
      checkMethodOptions('approvals.watch()', options);
      const { signal, ...filter } = options;
      core.check();
      return watchEachQuestion(core, readQuestionFilter(filter), signal, isApproval);
    },
  };
}

/** A pending call needs a result. The answer of a person would be taken, and then no result could be. */
async function refusePending(journal: Journal, id: string): Promise<void> {
  if (!isPendingId(id)) return;
  const [question] = await journal.questions({ id });
  if (!question || isApproval(question)) return;
  throw new InvalidOptionsError(
    ['id'],
    `"${id}" is no question to a person, but a pending call: use cluster.calls.complete() or fail() with its callKey`,
  );
}

/** The filter for the journal. Throws for a wrong key or tenant. */
export function readQuestionFilter({ conversation, tenant }: ClusterApprovalFilter): {
  key?: string | undefined;
  tenant?: string | undefined;
} {
  if (conversation !== undefined) checkKey(conversation);
  if (tenant !== undefined) checkName('tenant', tenant);
  return withoutUndefined({ key: conversation, tenant });
}

function readBy(given: unknown): string | undefined {
  if (isRecord(given)) checkMethodOptions('approvals.answer()', given);
  const by = isRecord(given) ? given['by'] : given;
  checkShape('by', by, inWords('a string that says who answered', anyText));
  const who = by === '' ? undefined : (by as string | undefined);
  checkBy(who);
  return who;
}

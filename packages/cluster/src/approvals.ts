// Lists, watches and answers the questions that conversations ask people. Any process that has the journal can do so. The
// worker that holds a turn stores its questions (`work/session/journal-approvals.ts`).
import { checkAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import { checkChangedInput } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import type { AsyncReader } from '@inboard/core/util/queues/async-queue.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { checkShape, inWords, anyText } from '@inboard/core/util/option-shapes.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { refuseNonJson } from './check-input.js';
import { checkMethodOptions } from './check-options.js';
import type { ClusterApprovalFilter, ClusterApprovals } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import { checkKey, checkName } from './journal/check-names.js';
import type { Journal, QuestionFilter } from './journal/journal.js';
import type { ClusterApproval } from './journal/records.js';
import { pauseUnlessOver, readPatiently } from './patient-reader.js';

export function createClusterApprovals(core: ClusterCore): ClusterApprovals {
  return {
    list: async (given = {}) => {
      checkMethodOptions('approvals.list()', given);
      const { conversation, tenant, ...others } = given;
      const filter = withoutUndefined({ ...others, ...readFilter({ conversation, tenant }) });
      const journal = await core.journal();
      return filter.limit === undefined ? await readAll(journal, filter) : await journal.questions(filter);
    },
    answer: async (id, result, by) => {
      checkName('id', id);
      checkAnswer(result);
      refuseNonJson(result, 'result');
      const who = readBy(by);
      const journal = await core.journal();
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
      return watchQuestions(core, readFilter(filter), signal);
    },
  };
}

/** How many questions one statement reads, so that each statement stays within its time limit. */
const PAGE = 1000;
const LONGEST_PAUSE_MS = 1000;

/** Reads all questions that match the filter, page by page. */
async function readAll(journal: Journal, filter: QuestionFilter): Promise<ClusterApproval[]> {
  const found = new Map<string, ClusterApproval>();
  for (let { after } = filter; ;) {
    const page = await journal.questions({ ...filter, after, limit: PAGE });
    const before = found.size;
    for (const question of page) found.set(question.id, question);
    if (page.length < PAGE) return [...found.values()];
    // A whole page brought nothing new. Either more questions than fit on a page were asked in the same millisecond, or the
    // user's own journal does not know `after`.
    if (found.size === before) return await journal.questions({ ...filter, limit: Number.MAX_SAFE_INTEGER });
    after = page.at(-1);
  }
}

async function* watchQuestions(
  core: ClusterCore,
  filter: { key?: string | undefined; tenant?: string | undefined },
  signal: AbortSignal | undefined,
): AsyncReader<ClusterApproval> & AsyncGenerator<ClusterApproval, undefined> {
  const watch = core.hub.watch(
    ({ kind, key }) =>
      (kind === 'question' || kind === 'answer') && (filter.key === undefined || filter.key === key),
    signal,
  );
  let seen = new Set<string>();
  try {
    while (!watch.isOver) {
      watch.settle();
      const open = await readPatiently(core, watch, (journal) => readAll(journal, filter));
      if (open === undefined) return undefined;
      const nameOf = ({ id, attempt }: ClusterApproval): string => `${attempt} ${id}`;
      const fresh = open.filter((question) => !seen.has(nameOf(question)));
      seen = new Set(open.map(nameOf));
      for (const question of fresh) {
        if (watch.isOver) return undefined;
        yield question;
      }
      await watch.changed();
      // Each look reads all open questions. The more questions are open, the longer this waits, so that one look covers more
      // changes.
      await pauseUnlessOver(watch, Math.min(open.length / 10, LONGEST_PAUSE_MS));
    }
    return undefined;
  } finally {
    watch.end();
  }
}

function readFilter({ conversation, tenant }: ClusterApprovalFilter): {
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
  return by as string | undefined;
}

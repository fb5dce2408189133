// Reads the questions of a journal page by page, and follows them. People's questions and pending calls are in the same table, so
// a reader says which of them it wants.
import type { AsyncReader } from '@inboard/core/util/queues/async-queue.js';
import type { ClusterCore } from './cluster-core.js';
import type { Journal, QuestionFilter } from './journal/journal.js';
import type { JournalQuestion } from './journal/journal-question.js';
import { pauseUnlessOver, readPatiently } from './patient-reader.js';

/** Whether a reader wants this question. */
type IsWanted<Wanted extends JournalQuestion> = (question: JournalQuestion) => question is Wanted;

/** How many questions one statement reads, so that each statement stays within its time limit. */
const PAGE = 1000;
const LONGEST_PAUSE_MS = 1000;

/** Reads the wanted questions that match the filter, up to its limit. */
export async function readQuestions<Wanted extends JournalQuestion>(
  journal: Journal,
  { limit = Infinity, ...filter }: QuestionFilter,
  isWanted: IsWanted<Wanted>,
): Promise<Wanted[]> {
  const seen = new Set<string>();
  const found = new Map<string, Wanted>();
  const size = Math.min(limit, PAGE);
  const take = (page: readonly JournalQuestion[]): void => {
    for (const question of page) {
      seen.add(question.id);
      if (isWanted(question)) found.set(question.id, question);
    }
  };
  for (let { after } = filter; ;) {
    const page = await journal.questions({ ...filter, after, limit: size });
    const before = seen.size;
    take(page);
    if (page.length < size || found.size >= limit) break;
    // A whole page brought nothing new. Either more questions than fit on a page were asked in the same millisecond, or the
    // user's own journal does not know `after`.
    if (seen.size === before) {
      take(await journal.questions({ ...filter, limit: Number.MAX_SAFE_INTEGER }));
      break;
    }
    after = page.at(-1);
  }
  return [...found.values()].slice(0, limit);
}

/** Reads all wanted questions without an answer, again whenever they may have changed. */
export async function* watchOpenQuestions<Wanted extends JournalQuestion>(
  core: ClusterCore,
  filter: { key?: string | undefined; tenant?: string | undefined },
  signal: AbortSignal | undefined,
  isWanted: IsWanted<Wanted>,
): AsyncGenerator<Wanted[], undefined> {
  const watch = core.hub.watch(
    ({ kind, key }) =>
      (kind === 'question' || kind === 'answer') && (filter.key === undefined || filter.key === key),
    signal,
  );
  try {
    while (!watch.isOver) {
      watch.settle();
      const open = await readPatiently(core, watch, (journal) => readQuestions(journal, filter, isWanted));
      if (open === undefined || watch.isOver) return undefined;
      yield open;
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

/** Reads every wanted question without an answer: first those that exist, then each new one, once for each attempt. */
export async function* watchQuestions<Wanted extends JournalQuestion>(
  core: ClusterCore,
  filter: { key?: string | undefined; tenant?: string | undefined },
  signal: AbortSignal | undefined,
  isWanted: IsWanted<Wanted>,
): AsyncReader<Wanted> & AsyncGenerator<Wanted, undefined> {
  let seen = new Set<string>();
  for await (const open of watchOpenQuestions(core, filter, signal, isWanted)) {
    const nameOf = ({ id, attempt }: JournalQuestion): string => `${attempt} ${id}`;
    const fresh = open.filter((question) => !seen.has(nameOf(question)));
    seen = new Set(open.map(nameOf));
    for (const question of fresh) {
      if (signal?.aborted || core.isClosed) return undefined;
      yield question;
    }
  }
  return undefined;
}

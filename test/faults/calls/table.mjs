// The cells of the kill-point matrix: where the process that has the conversation dies, what keeps the records, how many calls the
// model made in one message, and whether their tool may run again.

/** What a life passes on its way. `live`: while the CLI has the turn; `completion`: when another one goes on with it. */
export const POINTS = {
  'CLI started': ['live', 'completion'],
  'first message': ['live', 'completion'],
  'question stored': ['live'],
  'answer stored': ['live', 'completion'],
  'answer noted': ['live', 'completion'],
  'claim taken': ['completion'],
  'begin recorded': ['live', 'completion'],
  effect: ['live', 'completion'],
  'result recorded': ['live', 'completion'],
  'entry written': ['completion'],
};

/**
 * Who keeps the records, and how the conversation dies: of memory the CLI is killed, or the conversation is abandoned; of files and
 * PostgreSQL the process that has the conversation is killed.
 */
export const RECORDS = ['memory, CLI killed', 'memory, abandoned', 'file', 'postgres'];
const WHENS = ['before', 'after'];
const CALLS = [1, 3];
const TWO_HOSTS = { point: 'two hosts', when: 'at once' };
/** A handler that was cut off may have had its effect: there its author's word counts. */
const CUT_WITHIN = ['begin recorded', 'effect', 'result recorded'];

/** Combinations that cannot be played, each with its reason. */
const EXCLUSIONS = [
  {
    name: 'a cluster keeps the answer that somebody gave; its worker notes none',
    holds: ({ records, point }) => records === 'postgres' && point === 'answer noted',
  },
  {
    name: 'records in memory are written at once, so that nothing of an entry is torn',
    holds: ({ records, when }) => when === 'torn' && records !== 'file',
  },
  {
    name: '2.1.33 that is killed before it has written its first turn neither resumes the id nor takes it again, which is documented',
    holds: ({ cli, phase, point, when }) =>
      cli === '2.1.33' &&
      phase === 'live' &&
      (point === 'first message' || (point === 'CLI started' && when === 'after')),
  },
];

function nameOf({ cli, records, phase, point, when, calls, onRepeat, lastWords }) {
  const words = [cli, records, phase, `${when} ${point}`, calls === 1 ? 'one call' : 'three calls'];
  if (onRepeat !== undefined) words.push(`onRepeat ${onRepeat}`);
  if (lastWords) words.push('last words');
  return words.join('/');
}

function listCombinations(cli, records) {
  return records.flatMap((kept) =>
    Object.entries(POINTS).flatMap(([point, phases]) =>
      phases.flatMap((phase) =>
        [...WHENS, ...(point === 'entry written' ? ['torn'] : [])].flatMap((when) =>
          CALLS.flatMap((calls) =>
            (CUT_WITHIN.includes(point) ? [undefined, 'run'] : [undefined]).map((onRepeat) => ({
              cli,
              records: kept,
              phase,
              point,
              when,
              calls,
              onRepeat,
            })),
          ),
        ),
      ),
    ),
  );
}

/** On the fake CLI every combination; where a CLI outlives its host for a moment, also one that writes what it makes up then. */
export function createCells() {
  const every = listCombinations('fake', RECORDS);
  const withWords = every.filter(
    ({ records, point, phase, onRepeat }) =>
      records === 'file' && onRepeat === undefined && (point === 'answer stored' || phase === 'completion'),
  );
  // The second time no host dies: two hosts continue the turn at the same moment.
  const twoHosts = CALLS.map((calls) => ({
    cli: 'fake',
    records: 'file',
    phase: 'completion',
    ...TWO_HOSTS,
    calls,
  }));
  return [...every, ...withWords.map((cell) => ({ ...cell, lastWords: true })), ...twoHosts]
    .filter((cell) => !EXCLUSIONS.some(({ holds }) => holds(cell)))
    .map((cell) => ({ ...cell, name: nameOf(cell) }));
}

/** On the real CLIs: records in files, which both have. */
export function createRealCells() {
  return ['2.1.325', '2.1.33']
    .flatMap((cli) => listCombinations(cli, ['file']))
    .filter((cell) => !EXCLUSIONS.some(({ holds }) => holds(cell)))
    .map((cell) => ({ ...cell, name: nameOf(cell) }));
}

/** The lives of a cell: where each dies. The last one is not killed. */
export function planLives({ phase, point, when, calls }) {
  const target = { point, when, call: calls === 1 ? 0 : 1 };
  const question = { point: 'question stored', when: 'after', call: calls - 1 };
  if (point === TWO_HOSTS.point) return [question];
  return phase === 'live' ? [target] : [question, target];
}

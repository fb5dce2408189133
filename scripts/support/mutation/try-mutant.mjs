// One mutant against its tests: killed by the first that fails.

// Files in the first round: most mutants die there.
const FIRST_ROUND = 2;
const START_MS = 30_000;
const SLOWER_BY = 10;
const LEAST_TIMEOUT_MS = 2500;
const PATIENT_TIMEOUT_MS = 20_000;

/** `{ outcome, by }`; the outcome is `killed`, `timeout`, `survived` or `not reached`. `killers` is kept up to date. */
export async function tryMutant(host, { mutant, tests, killers }) {
  if (tests.length === 0) return { outcome: 'not reached' };
  // What killed others of the same file goes first.
  const wins = (entry) => killers.get(`${mutant?.file} ${entry.file}`) ?? 0;
  const ordered = [...tests].sort((a, b) => wins(b) - wins(a));
  for (const files of [ordered.slice(0, FIRST_ROUND), ordered.slice(FIRST_ROUND)]) {
    if (files.length === 0) continue;
    const result = await runOn(host, { mutant, files });
    if (!result) continue;
    const key = `${mutant?.file} ${result.file}`;
    killers.set(key, (killers.get(key) ?? 0) + 1);
    return { outcome: result.isTimeout ? 'timeout' : 'killed', by: `${result.file}: ${result.test}` };
  }
  return { outcome: 'survived' };
}

async function runOn(host, { mutant, files }) {
  const testTimeout = Math.max(LEAST_TIMEOUT_MS, ...files.map(({ slowestMs }) => SLOWER_BY * slowestMs));
  const failure = await firstFailure(host, {
    mutant,
    files,
    testTimeout,
    isFresh: files.some(({ isApart }) => isApart),
  });
  if (!failure?.isTimeout) return failure;
  // It may be the machine that was slow: then the same is slow without the mutant, too, and all is tried with patience.
  const control = await firstFailure(host, { files, testTimeout, isFresh: true });
  return control
    ? firstFailure(host, { mutant, files, testTimeout: PATIENT_TIMEOUT_MS, isFresh: true })
    : failure;
}

async function firstFailure(host, question) {
  const ms = question.files.reduce((sum, entry) => sum + entry.ms, 0);
  const limitMs = START_MS + 2 * question.testTimeout + ms * SLOWER_BY;
  const { failures, timeout, lost } = await host.ask(question, limitMs);
  if (timeout || lost) return { file: question.files[0].file, test: 'did not end', isTimeout: true };
  const [failure] = failures;
  return failure && { ...failure, isTimeout: /timed out in/.test(failure.message) };
}

// The seed of the property tests: the same in every run, so that one that fails does so again; `INBOARD_SEED` gives another,
// and `INBOARD_SEED=random` a new one in every run. fast-check names the seed and the path of what failed. `INBOARD_RUNS=50` has
// each property tried 50 times as often.

const DEFAULT_SEED = 20_261_115;

/** The options of a property test: its seed, and how often it runs. */
export function propertyOptions(numRuns: number): { seed: number; numRuns: number } {
  const times = readTimes(process.env['INBOARD_RUNS']);
  return { seed: readSeed(process.env['INBOARD_SEED']), numRuns: numRuns * times };
}

function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_SEED;
  if (text === 'random') return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(text);
  if (!Number.isSafeInteger(seed))
    throw new TypeError(`INBOARD_SEED must be a whole number or "random", not ${text}.`);
  return seed;
}

function readTimes(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const times = Number(text);
  if (!Number.isSafeInteger(times) || times < 1)
    throw new TypeError(`INBOARD_RUNS must be a whole number from 1, not ${text}.`);
  return times;
}

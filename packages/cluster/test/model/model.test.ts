// The journal in memory does what the model of its turns says, in random orders of clients, workers, kills, stalls and jumps of
// the clock, and the history it leaves breaks no promise. 10,000 seeds: node scripts/run-cluster-model.mjs
import { describe, expect, it } from 'vitest';
import { propertyOptions } from '../../../../test/support/seed.js';
import { createMutant, MUTANTS } from './mutants.js';
import { FAULTS, replayLine, runModel, shrink } from './run-model.js';

const { seed: first, numRuns } = propertyOptions(23);
const MUTANT_SEEDS = 250;

describe('the journal and its model', () => {
  it('agree, whatever happens in whichever order', async () => {
    for (let seed = first; seed < first + numRuns; seed += 1) {
      const { faults } = await runModel(seed);
      expect(faults, replayLine(seed, { messages: 4, faults: FAULTS })).toEqual([]);
    }
  });

  it('do the same again for the same seed, but for the ids of messages', async () => {
    const [one, other] = [await runModel(first), await runModel(first)];
    const withoutIds = (log: readonly string[]): string =>
      log.join('\n').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'uuid');
    expect(withoutIds(one.log)).toBe(withoutIds(other.log));
    expect(one.log.some((line) => line.endsWith('killed')) || one.log.length > 50).toBe(true);
  });

  it.each(Object.keys(MUTANTS))('find a journal that %s', async (name) => {
    const mutate = MUTANTS[name];
    if (!mutate) throw new Error(name);
    for (let seed = 1; seed <= MUTANT_SEEDS; seed += 1) {
      const { faults } = await runModel(seed, {}, (now) => createMutant(mutate, now));
      if (faults.length > 0) return;
    }
    expect.fail(`no run of ${MUTANT_SEEDS} noticed it`);
  });

  it('find a smaller run that fails too, and the command that repeats it', async () => {
    const mutate = MUTANTS['keeps a message twice'];
    if (!mutate) throw new Error('There is no such mutant');
    const failing = (now: () => number) => createMutant(mutate, now);
    const { report, size } = await shrink(await runModel(1, {}, failing), failing);
    expect(size).toEqual({ messages: 1, faults: [] });
    const again = await runModel(report.seed, size, failing);
    expect(again.faults).toEqual(report.faults);
    expect(replayLine(report.seed, size)).toContain(`--seed ${report.seed} --messages 1 --faults none`);
  });
});

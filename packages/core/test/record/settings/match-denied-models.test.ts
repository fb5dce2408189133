// The recorded answers of the official function on a table of models and deny lists, and our own words about them.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { matchDeniedModels } from '../../../src/record/settings/match-denied-models.js';

interface Answers {
  models: string[];
  cases: { entries: string[]; denied: string[]; warned: number }[];
}

const { models, cases } = JSON.parse(
  await readFile(new URL('denied-models.json', import.meta.url), 'utf8'),
) as Answers;

describe('matchDeniedModels', () => {
  it.each(cases)(
    'denies what the official function denies: $entries',
    async ({ entries, denied, warned }) => {
      const match = await matchDeniedModels(models, entries);
      const ours = models.filter((_, index) => match.denied[index]);
      // Theirs lets a model pass that is on the list by its exact name.
      const exact = entries.includes('gpt-5') ? ['gpt-5'] : [];
      expect(ours.toSorted()).toEqual([...denied, ...exact].toSorted());
      expect(match.warnings).toHaveLength(warned + exact.length);
    },
  );

  it('has a verdict for each model and says each thing once', async () => {
    const match = await matchDeniedModels(['a', 'b', 'a'], ['a', 'a']);
    expect(match).toEqual({ denied: [true, false, true], warnings: [expect.stringContaining('"a"')] });
  });

  it('denies nothing without a list, and says so when there is something else', async () => {
    expect(await matchDeniedModels(['opus'], undefined)).toEqual({ denied: [false], warnings: [] });
    expect(await matchDeniedModels(['opus'], null)).toEqual({ denied: [false], warnings: [] });
    const wrong = await matchDeniedModels(['opus'], 'opus' as never);
    expect(wrong).toEqual({ denied: [false], warnings: [expect.stringContaining('not a list')] });
  });

  it('does not stumble over a model that is no name', async () => {
    const match = await matchDeniedModels([{ value: 'opus' } as never, 'opus'], ['opus']);
    expect(match).toEqual({ denied: [false, true], warnings: [expect.stringContaining('object')] });
  });
});

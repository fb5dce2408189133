// How recipes are played, on a project that is a few texts: what counts as held, and what does not.
import { expect, it } from 'vitest';
import { applyEdit } from '../../scripts/support/recipes/apply-step.mjs';
import { playRecipes, type PlayedCopy } from '../../scripts/support/recipes/play.mjs';
import type { PlayedRecipe, RecipeEdit } from '../../scripts/support/recipes/recipes.mjs';

/** What a test demands of the texts; undefined where it cannot look. */
type Demands = Record<string, (read: (path: string) => string) => boolean | undefined>;

const removed: string[] = [];

function copyOf(texts: Record<string, string>, demands: Demands, name = 'first'): PlayedCopy {
  let now = { ...texts };
  const read = (path: string): string => now[path] ?? '';
  const check = (tests: readonly string[]): ReturnType<PlayedCopy['check']> => {
    const verdicts = tests.map((test) => demands[test]?.(read));
    return Promise.resolve({
      passed: verdicts.every((verdict) => verdict === true),
      hasRun: !verdicts.includes(undefined),
      output: '',
    });
  };
  return {
    duplicate: () => copyOf(texts, demands, 'second'),
    read: (path) => now[path],
    keep: () => {},
    write: (path, text) => void (now[path] = text ?? ''),
    edit: (edits: readonly RecipeEdit[] = []) => {
      for (const edit of edits) now[edit.file] = applyEdit(now[edit.file], edit);
    },
    restore: () => void (now = { ...texts }),
    check,
    checkReached: () => check(Object.keys(demands)),
    run: ([script = '']) => {
      now['page'] = `${script} of ${read('code')}`;
      return Promise.resolve({ passed: true, output: '' });
    },
    remove: () => void removed.push(name),
  };
}

const RECIPE: PlayedRecipe = {
  id: 'sample',
  title: 'To add a sample',
  steps: [
    { name: 'code', edits: [{ file: 'code', after: 'a', put: 'b' }], red: ['t.ts'] },
    { name: 'page', scripts: ['write'], writes: ['page'], red: ['t.ts'] },
  ],
};

async function play(
  demands: Demands,
  recipes = [RECIPE],
  { seed, isWhole }: { seed?: number; isWhole?: boolean } = {},
): Promise<string[]> {
  const heard: string[] = [];
  const report = (holds: boolean, text: string): void => void heard.push(`${holds ? '+' : '-'} ${text}`);
  const copy = copyOf({ code: 'a', page: 'write of a' }, demands);
  await playRecipes({ recipes, seed, isWhole, copy, report });
  return heard.toSorted();
}

it('a recipe holds whose test is green with all steps, and red without each', async () => {
  removed.length = 0;
  expect(await play({ 't.ts': (read) => read('code') === 'ab' && read('page') === 'write of ab' })).toEqual([
    '+ all steps of sample',
    '+ all steps of sample: every test that they reach passes',
    '+ sample without "code": t.ts fails',
    '+ sample without "page": t.ts fails',
  ]);
  expect(removed).toEqual(['first', 'second']);
});

it('a step that no test misses is a failure', async () => {
  expect(await play({ 't.ts': (read) => read('code') === 'ab' })).toEqual([
    '+ all steps of sample',
    '+ all steps of sample: every test that they reach passes',
    '+ sample without "code": t.ts fails',
    '- sample without "page": t.ts fails',
  ]);
});

it('a recipe that forgets a file is a failure, though the tests that it names pass', async () => {
  const demands: Demands = {
    't.ts': (read) => read('code') === 'ab' && read('page') === 'write of ab',
    'list.ts': (read) => read('list') === 'b',
  };
  expect(await play(demands)).toContain('- all steps of sample: every test that they reach passes');
  expect(await play(demands, [RECIPE], { isWhole: true })).toEqual([
    '+ all steps of sample',
    '- all steps of sample: every test that they reach passes',
  ]);
  // By a seed, one step of each recipe is left out in a time that CI has for every commit.
  expect(await play(demands, [RECIPE], { seed: 1 })).not.toContainEqual(expect.stringContaining('reach'));
});

it('a test that does not run proves nothing', async () => {
  expect(await play({ 't.ts': (read) => (read('code') === 'ab' ? true : undefined) })).toContain(
    '- sample without "code": t.ts fails',
  );
  expect(await play({})).toEqual(['- all steps of sample']);
});

it('recipes that do not fit together are played one after the other', async () => {
  const other = { ...RECIPE, id: 'other', isApart: true, given: [{ file: 'code', before: 'a', put: '>' }] };
  const heard = await play({ 't.ts': (read) => />?ab/.test(read('code')) }, [RECIPE, other], {
    seed: 1,
  });
  expect(heard.filter((line) => line.includes('all steps'))).toEqual([
    '+ all steps of other',
    '+ all steps of sample',
  ]);
  expect(heard).toHaveLength(4);
});

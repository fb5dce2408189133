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
  return {
    duplicate: () => copyOf(texts, demands, 'second'),
    read: (path) => now[path],
    keep: () => {},
    write: (path, text) => void (now[path] = text ?? ''),
    edit: (edits: readonly RecipeEdit[] = []) => {
      for (const edit of edits) now[edit.file] = applyEdit(now[edit.file], edit);
    },
    restore: () => void (now = { ...texts }),
    check: (tests) => {
      const verdicts = tests.map((test) => demands[test]?.(read));
      return Promise.resolve({
        passed: verdicts.every((verdict) => verdict === true),
        hasRun: !verdicts.includes(undefined),
        output: '',
      });
    },
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

async function play(demands: Demands, recipes = [RECIPE], seed?: number): Promise<string[]> {
  const heard: string[] = [];
  const report = (holds: boolean, text: string): void => void heard.push(`${holds ? '+' : '-'} ${text}`);
  await playRecipes({ recipes, seed, copy: copyOf({ code: 'a', page: 'write of a' }, demands), report });
  return heard.toSorted();
}

it('a recipe holds whose test is green with all steps, and red without each', async () => {
  removed.length = 0;
  expect(await play({ 't.ts': (read) => read('code') === 'ab' && read('page') === 'write of ab' })).toEqual([
    '+ all steps of sample',
    '+ sample without "code": t.ts fails',
    '+ sample without "page": t.ts fails',
  ]);
  expect(removed).toEqual(['first', 'second']);
});

it('a step that no test misses is a failure', async () => {
  expect(await play({ 't.ts': (read) => read('code') === 'ab' })).toEqual([
    '+ all steps of sample',
    '+ sample without "code": t.ts fails',
    '- sample without "page": t.ts fails',
  ]);
});

it('a test that does not run proves nothing', async () => {
  expect(await play({ 't.ts': (read) => (read('code') === 'ab' ? true : undefined) })).toContain(
    '- sample without "code": t.ts fails',
  );
  expect(await play({})).toEqual(['- all steps of sample']);
});

it('recipes that do not fit together are played one after the other', async () => {
  const other = { ...RECIPE, id: 'other', isApart: true, given: [{ file: 'code', before: 'a', put: '>' }] };
  const heard = await play({ 't.ts': (read) => />?ab/.test(read('code')) }, [RECIPE, other], 1);
  expect(heard.filter((line) => line.includes('all steps'))).toEqual([
    '+ all steps of other',
    '+ all steps of sample',
  ]);
  expect(heard).toHaveLength(4);
});

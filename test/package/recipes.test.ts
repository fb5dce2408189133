// The steps of recipes that scripts/play-recipes.mjs plays: they fit RECIPES.md and the files that they change.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../scripts/support/recipes/apply-step.mjs';
import { chooseHalf, chooseSteps } from '../../scripts/support/recipes/choose-steps.mjs';
import { NOT_PLAYED, PLAYED } from '../../scripts/support/recipes/recipes.mjs';
import { PROJECT_ROOT, readProjectFile } from './project.js';

const sections = new Map(
  readProjectFile('RECIPES.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
const steps = PLAYED.flatMap(({ id, title, steps: own }) =>
  own.map((step) => ({ label: `${id}: ${step.name}`, title, step })),
);

describe('the recipes', () => {
  it('are all played', () => {
    expect([...new Set(PLAYED.map(({ title }) => title))]).toEqual([...sections.keys()]);
    expect(new Set(PLAYED.map(({ id }) => id)).size).toBe(PLAYED.length);
  });

  it('say what of them is not played', () => {
    expect(Object.keys(NOT_PLAYED).filter((title) => !sections.has(title))).toEqual([]);
  });

  it.each(steps)('name what a step changes, and what fails without it: $label', ({ title, step }) => {
    const text = textOf(title);
    const changed = (step.edits ?? []).filter(({ create }) => create === undefined).map(({ file }) => file);
    const tests = step.red.filter((name) => name !== 'compiler');
    const scripts = (step.scripts ?? []).map((script) => script.split(' ')[0] ?? '');
    // What npm runs is named so.
    const run = scripts.filter((script) => script !== 'scripts/build.mjs' || !text.includes('npm run build'));
    const files = [...changed, ...(step.writes ?? []), ...run, ...tests];
    expect(files.filter((file) => !isNamed(text, file))).toEqual([]);
    expect(tests.filter((file) => !existsSync(join(PROJECT_ROOT, file)))).toEqual([]);
    expect(step.red.length).toBeGreaterThan(0);
  });

  it.each(PLAYED)(
    'fit the files that they change, one step after the other: $id',
    ({ given = [], steps: own }) => {
      const texts = new Map<string, string | undefined>();
      for (const edit of [...given, ...own.flatMap(({ edits = [] }) => edits)]) {
        const before = texts.has(edit.file) ? texts.get(edit.file) : read(edit.file);
        const after = applyEdit(before, edit);
        expect(after).not.toBe(before);
        if (edit.moveTo !== undefined) texts.set(edit.file, undefined);
        texts.set(edit.moveTo ?? edit.file, after);
      }
      expect(texts.size).toBeGreaterThan(0);
    },
  );
});

/** A recipe, and those that it refers to. */
function textOf(title: string): string {
  const own = sections.get(title) ?? '';
  const referred = [...sections].filter(([other]) =>
    own.includes(`](#${other.toLowerCase().replaceAll(' ', '-')})`),
  );
  return [own, ...referred.map(([, text]) => text)].join('\n');
}

/** A recipe may name the folder of a file that is one of several. */
function isNamed(text: string, file: string): boolean {
  if (text.includes(file)) return true;
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (text.includes(`\`${folder}\``) || text.includes(`\`${folder}/\``)) return true;
  return false;
}

function read(file: string): string | undefined {
  return existsSync(join(PROJECT_ROOT, file)) ? readProjectFile(file) : undefined;
}

describe('a step', () => {
  it.each([
    [undefined, { file: 'a.ts', after: 'x', put: 'y' }, 'a.ts is not there'],
    ['abc', { file: 'a.ts', after: 'x', put: 'y' }, 'a.ts has "x" nowhere'],
    ['x x', { file: 'a.ts', after: 'x', put: 'y' }, 'a.ts has "x" several times'],
    ['x x', { file: 'a.ts', instead: 'x', put: 'y' }, 'a.ts has "x" several times'],
    ['abc', { file: 'a.ts', create: 'y' }, 'a.ts is there already'],
    ['abc', { file: 'a.ts', every: /\d/, count: 1 }, 'a.ts has nothing like'],
  ])('that does not fit %j is refused', (text, edit, message) => {
    expect(() => applyEdit(text, edit)).toThrow(message);
  });

  it('puts, creates and counts', () => {
    expect(applyEdit('a b', { file: 'f', instead: 'b', put: '1' })).toBe('a 1');
    expect(applyEdit('a a', { file: 'f', every: /a/, by: 'b' })).toBe('b b');
    expect(applyEdit('a a', { file: 'f', every: /a/, before: 'b' })).toBe('ba ba');
    expect(applyEdit('a b', { file: 'f', after: 'a', put: '1' })).toBe('a1 b');
    expect(applyEdit('a b', { file: 'f', before: 'b', put: '1' })).toBe('a 1b');
    expect(applyEdit('7 of 7', { file: 'f', every: /\d/, count: 1 })).toBe('8 of 8');
    expect(applyEdit(undefined, { file: 'f', create: 'new' })).toBe('new');
  });

  it('is left out by the seed, and each has its turn', () => {
    const choose = (seed?: number): string[] =>
      chooseSteps(PLAYED, seed).map(({ recipe, step }) => `${recipe.id}: ${step.name}`);
    expect(choose(1)).toEqual(choose(1));
    expect(choose(1)).toHaveLength(PLAYED.length);
    const all = new Set(Array.from({ length: 1000 }, (_, seed) => choose(seed)).flat());
    expect([...all].toSorted()).toEqual(choose().toSorted());
  });

  it('is left out of half of the recipes in CI, and each recipe has its turn', () => {
    const choose = (seed: number): string[] => chooseHalf(PLAYED, seed).map(({ id }) => id);
    expect(choose(1)).toEqual(choose(1));
    expect(choose(1)).toHaveLength(Math.ceil(PLAYED.length / 2));
    const all = new Set(Array.from({ length: 20 }, (_, seed) => choose(seed)).flat());
    expect([...all].toSorted()).toEqual(PLAYED.map(({ id }) => id).toSorted());
  });
});

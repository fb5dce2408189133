// The steps of recipes that scripts/play-recipes.mjs plays: they fit RECIPES.md and the files that they change.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../scripts/support/recipes/apply-step.mjs';
import { chooseSteps } from '../../scripts/support/recipes/choose-steps.mjs';
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
  it('are played, or listed with the reason why they are not', () => {
    const named = [...new Set(PLAYED.map(({ title }) => title)), ...Object.keys(NOT_PLAYED)];
    expect(named.toSorted()).toEqual([...sections.keys()].toSorted());
  });

  it.each(steps)('name what a step changes, and what fails without it: $label', ({ title, step }) => {
    const text = sections.get(title) ?? '';
    const changed = (step.edits ?? []).filter(({ create }) => create === undefined).map(({ file }) => file);
    const tests = step.red.filter((name) => name !== 'compiler');
    const files = [
      ...changed,
      ...(step.writes ?? []),
      ...(step.scripts ?? []).map((script) => script.split(' ')[0] ?? ''),
      ...tests,
    ];
    // A row of an option is in one of several files, which the recipe names by their folder.
    const isNamed = (file: string): boolean =>
      text.includes(file) || text.includes(`\`${file.slice(0, file.lastIndexOf('/') + 1)}\``);
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
    expect(tests.filter((file) => !existsSync(join(PROJECT_ROOT, file)))).toEqual([]);
    expect(step.red.length).toBeGreaterThan(0);
  });

  it('fit the files that they change, one step after the other', () => {
    const texts = new Map<string, string>();
    for (const edit of steps.flatMap(({ step }) => step.edits ?? [])) {
      const before =
        texts.get(edit.file) ??
        (existsSync(join(PROJECT_ROOT, edit.file)) ? readProjectFile(edit.file) : undefined);
      const after = applyEdit(before, edit);
      expect(after).not.toBe(before);
      texts.set(edit.file, after);
    }
    expect(texts.size).toBeGreaterThan(10);
  });
});

describe('a step', () => {
  it.each([
    [undefined, { file: 'a.ts', after: 'x', put: 'y' }, 'a.ts is not there'],
    ['abc', { file: 'a.ts', after: 'x', put: 'y' }, 'a.ts has "x" nowhere'],
    ['x x', { file: 'a.ts', after: 'x', put: 'y' }, 'a.ts has "x" several times'],
    ['abc', { file: 'a.ts', create: 'y' }, 'a.ts is there already'],
    ['abc', { file: 'a.ts', every: /\d/, count: 1 }, 'a.ts has nothing like'],
  ])('that does not fit %j is refused', (text, edit, message) => {
    expect(() => applyEdit(text, edit)).toThrow(message);
  });

  it('puts, creates and counts', () => {
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
    const all = new Set(Array.from({ length: 300 }, (_, seed) => choose(seed)).flat());
    expect([...all].toSorted()).toEqual(choose().toSorted());
  });
});

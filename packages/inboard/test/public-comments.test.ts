// Every name that an entry point lets through has a comment where it is defined: it is what an editor shows to users.
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from '../../../test/package/project.js';
import { findDefinition, listNames, type SourceFiles } from './public-definitions.js';

/** A comment for users, above a definition; a comment for maintainers may stand between them. */
const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\/\/.*\n)*$/;
const SAYS_NOTHING = new Set([
  'a',
  'an',
  'and',
  'for',
  'in',
  'is',
  'of',
  'one',
  'or',
  'the',
  'this',
  'to',
  'with',
]);

/** Whether a comment has a word that is neither in the name nor one that any sentence has. */
function addsToName(comment: string, name: string): boolean {
  const words = comment.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.some((word) => !SAYS_NOTHING.has(word) && !name.toLowerCase().includes(word));
}

/** What is wrong with the comment of a name that a file exports; undefined when nothing is. */
function findFault(files: SourceFiles, path: string, name: string): string | undefined {
  const definition = findDefinition(files, path, name);
  if (definition === undefined) return `${name} is not found`;
  const comment = COMMENT.exec(definition.text.slice(0, definition.index))?.[1];
  if (comment === undefined) return `${name} has no comment`;
  return addsToName(comment, name) ? undefined : `the comment of ${name} only repeats the name`;
}

describe('every public name has a comment', () => {
  const files = readSourceFiles();
  const entryPoints = [...files].filter(([path]) => path.startsWith('packages/inboard/src/'));

  it.each(entryPoints)('%s', (path, text) => {
    expect(
      listNames(text)
        .map((name) => findFault(files, path, name))
        .filter(Boolean),
    ).toEqual([]);
  });
});

describe('findFault', () => {
  const files = new Map([
    ['src/entry.ts', "export { a, b as c, d } from './room/a.js';\nexport type { E } from './room/e.js';"],
    [
      'src/room/a.ts',
      '/** Counts. */\nexport function a() {}\n\nexport const b = 1;\n\n/** The d. */\nexport class d {}',
    ],
    ['src/room/e.ts', "export type * from './types.js';"],
    ['src/room/types.ts', '/**\n * What is\n * left.\n */\n// Why it is a type.\nexport type E = 1;'],
  ]);

  it.each([
    ['a', undefined],
    ['c', 'c has no comment'],
    ['d', 'the comment of d only repeats the name'],
    ['E', undefined],
    ['f', 'f is not found'],
  ])('judges %s', (name, fault) => {
    expect(findFault(files, 'src/entry.ts', name)).toBe(fault);
  });
});

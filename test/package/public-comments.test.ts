// Every name that a door lets through has a comment where it is defined: it is what an editor shows to users.
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from './project.js';

type SourceFiles = ReadonlyMap<string, string>;

const LIST = /^export (?:type )?\{([^}]*)\}(?: from '(.+?)')?;/gm;
const WILDCARD = /^export (?:type )?\* from '(.+?)';/gm;
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

/** The names in a list of exports, each with the name it has where it comes from. */
function readNames(list: string): { own: string; source: string }[] {
  const entries = list.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '').split(',');
  return entries.flatMap((entry) => {
    const [source = '', own = source] = entry
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return own === '' ? [] : [{ own, source }];
  });
}

function resolvePath(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier.replace(/\.js$/, '.ts'));
}

/** The text above a definition, wherever a file has it from; undefined when it is not found. */
function findTextAbove(files: SourceFiles, path: string, name: string): string | undefined {
  const text = files.get(path);
  if (text === undefined) return undefined;
  const definition = new RegExp(
    `^export (?:async )?(?:const|function\\*?|class|interface|type) ${name}\\b`,
    'm',
  );
  const index = text.search(definition);
  if (index !== -1) return text.slice(0, index);
  for (const [, list = '', specifier] of text.matchAll(LIST)) {
    const found = readNames(list).find(({ own }) => own === name);
    if (found && specifier) return findTextAbove(files, resolvePath(path, specifier), found.source);
  }
  for (const [, specifier = ''] of text.matchAll(WILDCARD)) {
    const above = findTextAbove(files, resolvePath(path, specifier), name);
    if (above !== undefined) return above;
  }
  return undefined;
}

/** Whether a comment has a word that is neither in the name nor one that any sentence has. */
function addsToName(comment: string, name: string): boolean {
  const words = comment.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.some((word) => !SAYS_NOTHING.has(word) && !name.toLowerCase().includes(word));
}

/** What is wrong with the comment of a name that a file exports; undefined when nothing is. */
function findFault(files: SourceFiles, path: string, name: string): string | undefined {
  const above = findTextAbove(files, path, name);
  if (above === undefined) return `${name} is not found`;
  const comment = COMMENT.exec(above)?.[1];
  if (comment === undefined) return `${name} has no comment`;
  return addsToName(comment, name) ? undefined : `the comment of ${name} only repeats the name`;
}

describe('every public name has a comment', () => {
  const files = readSourceFiles();
  const doors = [...files].filter(([path]) => path.startsWith('src/doors/'));

  it.each(doors)('%s', (path, text) => {
    const names = [...text.matchAll(LIST)].flatMap(([, list = '']) => readNames(list));
    expect(names.map(({ own }) => findFault(files, path, own)).filter(Boolean)).toEqual([]);
  });
});

describe('findFault', () => {
  const files = new Map([
    ['src/door.ts', "export { a, b as c, d } from './room/a.js';\nexport type { E } from './room/e.js';"],
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
    expect(findFault(files, 'src/door.ts', name)).toBe(fault);
  });
});

// docs/options.md and its parts: that they are what the sources make, and that no option, method or function is left out of them.
import { describe, expect, it } from 'vitest';
import {
  METHOD_DIFFERENCES,
  OPTION_DIFFERENCES,
  VALUE_DIFFERENCES,
} from '../../scripts/support/reference/comparison.mjs';
import { cutPage } from '../../scripts/support/pages/cut-page.mjs';
import { buildOptionsPage, OPTIONS_PARTS } from '../../scripts/support/reference/options-page.mjs';
import { CONTROLS, OLDEST, UNLISTED_CONTROLS } from '../../packages/core/src/live/controls/control-table.js';
import { OPTION_NAMES, OPTION_ROWS } from '../../packages/core/src/options/rows/option-rows.js';
import { readProjectFile } from '../package/project.js';
import { listNames } from '../../packages/inboard/test/public-definitions.js';

const tables = { OPTION_ROWS, CONTROLS, UNLISTED_CONTROLS, OLDEST };
const page = buildOptionsPage(tables);
const files = cutPage({ file: 'docs/options.md', text: page, parts: OPTIONS_PARTS });
const official = JSON.parse(readProjectFile('test/fixtures/official-surface.json')) as {
  options: string[];
  queryMethods: string[];
  queryMethodsWithoutType: string[];
  values: string[];
  valuesWithoutType: string[];
};

/** The names in the first column of the rows between two headings. */
function namesBetween(from: string, to: string): string[] {
  const part = page.slice(page.indexOf(`\n${from}\n`), page.indexOf(`\n${to}\n`));
  return [...part.matchAll(/^\| `(\w+)[(`]/gm)].map(([, name = '']) => name);
}

describe('the page of options', () => {
  it.each(Object.keys(files))(
    '%s is what the sources make (node scripts/write-reference-pages.mjs)',
    (path) => {
      expect(readProjectFile(path)).toBe(files[path]);
    },
  );

  it('has every option once, in the order of the rows', () => {
    expect(namesBetween('## Prompt and model', '## Methods of a query')).toEqual(OPTION_NAMES);
  });

  it('has every method of a query', () => {
    const found = namesBetween('## Methods of a query', '## Methods of a `Session`');
    expect(found).toEqual(expect.arrayContaining(Object.keys({ ...CONTROLS, ...UNLISTED_CONTROLS })));
    expect(found).toEqual(expect.arrayContaining(official.queryMethods));
    expect(new Set(found).size).toBe(found.length);
  });

  it.each(['index', 'testing', 'trace', 'inspector', 'ui', 'otel', 'acp'])(
    'has every value of the entry point %s',
    (entryPoint) => {
      const text = readProjectFile(`packages/inboard/src/${entryPoint}.ts`);
      const values = text.replaceAll(/^export type \{[^}]*\} from .*$/gm, '').replaceAll(/\btype \w+,?/g, '');
      const names = listNames(values).filter((name) => !name.endsWith('Error'));
      const found = namesBetween(
        '## Functions of `inboard`',
        '## What the official SDK has and this one does not',
      );
      expect(names.length).toBeGreaterThan(0);
      expect(found).toEqual(expect.arrayContaining(names));
    },
  );

  it('names everything that the official SDK has', () => {
    const { options, queryMethods, queryMethodsWithoutType, values, valuesWithoutType } = official;
    // Errors have a page of their own.
    const all = [...options, ...queryMethods, ...queryMethodsWithoutType, ...values, ...valuesWithoutType];
    const missing = all.filter((name) => name !== 'AbortError' && !new RegExp(`\`${name}[(\`]`).test(page));
    expect(missing).toEqual([]);
  });

  it('tells of differences only for what both have', () => {
    const ours = (names: object, theirs: string[]): string[] =>
      Object.keys(names).filter((name) => !theirs.includes(name));
    expect(ours(OPTION_DIFFERENCES, official.options)).toEqual([]);
    expect(ours(METHOD_DIFFERENCES, official.queryMethods)).toEqual([]);
    expect(ours(VALUE_DIFFERENCES, official.values)).toEqual([]);
  });

  it('cannot be made while an option has no row of its own in the sources', () => {
    const more = { ...OPTION_ROWS, invented: {} };
    expect(() => buildOptionsPage({ ...tables, OPTION_ROWS: more })).toThrow('Options has no invented');
  });
});

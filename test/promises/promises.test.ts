// Every sentence of the pages that promises something names the test that holds it, or says why it needs none (promises.json).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from '../package/project.js';
import { findIn, findPromises } from './find-promises.js';

/** By page, by sentence: `path of a test: its title`, `.ci/stages: name of a stage`, or `exempt: reason`. */
type Table = Record<string, Record<string, string>>;

const FILE = 'test/promises/promises.json';

/** Why a sentence needs no test of its own. */
const REASONS: Readonly<Record<string, string>> = {
  word: 'The word counts, names or describes something, and promises nothing.',
  advice: 'It tells readers what to do.',
  limit: 'It names what is not promised.',
  cli: 'It says what the CLI does; docs/discoveries has what showed it.',
  other: 'It says what a program or a service of others does.',
  measured: 'It reports what was measured or tried once; the page names the command.',
  security: 'The row of docs/security.md names its test, which test/package/security-doc.test.ts checks.',
  gap: 'No test holds it yet.',
};

/** Promises without a test. This number may only fall. */
const GAPS = 0;

const table = JSON.parse(readProjectFile(FILE)) as Table;
const rows = Object.entries(table).flatMap(([page, sentences]) =>
  Object.entries(sentences).map(([sentence, holder]) => ({ page, sentence, holder })),
);
const promises = findPromises();
const nameOf = ({ page, sentence }: { page: string; sentence: string }) => `${page}: ${sentence}`;

describe('the promises of the pages', () => {
  it(`are all in ${FILE}, with the test that holds each, or "exempt: " and a reason`, () => {
    expect(promises.length).toBeGreaterThan(300);
    expect(promises.filter(({ page, sentence }) => !table[page]?.[sentence]).map(nameOf)).toEqual([]);
  });

  it('are no longer in the table where no page makes them', () => {
    const made = new Set(promises.map(nameOf));
    expect(rows.map(nameOf).filter((name) => !made.has(name))).toEqual([]);
  });

  it('are held by tests and stages that exist, or exempted for a known reason', () => {
    expect(rows.filter(({ holder }) => !isHolder(holder)).map((row) => [nameOf(row), row.holder])).toEqual(
      [],
    );
  });

  it(`are held but for ${String(GAPS)}`, () => {
    expect(rows.filter(({ holder }) => holder === 'exempt: gap')).toHaveLength(GAPS);
  });
});

describe('what is found', () => {
  it.each([
    ['a sentence over two lines', 'It is\nnever lost. It may be late.', ['It is never lost.']],
    [
      'an item of a list',
      '- It is fast.\n- No call runs, whatever happens.',
      ['No call runs, whatever happens.'],
    ],
    ['a cell of a table', '| a | it is never sent twice |', ['it is never sent twice']],
    ['a link by its text', 'It [always](x.md#all) ends well.', ['It always ends well.']],
    [
      'a sentence that is written twice, once',
      'It never ends here.\n\nIt never ends here.',
      ['It never ends here.'],
    ],
    ['nothing in code', '```sh\nnpx never always all\n```\n\nUse `--all` here.', []],
    ['nothing in what a script writes', '<!-- a: written by b -->\nIt never fails.\n<!-- end of a -->', []],
    ['nothing in the name of a test', '| `test/a.test.ts`: is never late, whatever comes | b |', []],
    ['nothing in a default', '| all of them | `x` |', []],
  ])('%s', (_title, page, found) => {
    expect(findIn(page)).toEqual(found);
  });
});

function isHolder(holder: string): boolean {
  const [, place = '', rest = ''] = /^([\w./-]+): (.+)$/s.exec(holder) ?? [];
  if (place === 'exempt') return rest in REASONS;
  if (place === '.ci/stages') return new RegExp(`^\\S+ +\\d+ ${rest} `, 'm').test(readProjectFile(place));
  if (!/\.test\.m?[jt]s$/.test(place) || !existsSync(join(PROJECT_ROOT, place))) return false;
  return readFileSync(join(PROJECT_ROOT, place), 'utf8').replaceAll("\\'", "'").includes(rest);
}

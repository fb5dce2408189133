// Pages are short enough to be read, and say where reading goes on: the guide from page to page, the parts of a page likewise.
import { describe, expect, it } from 'vitest';
import { closePart, listParts, readTitle } from '../../scripts/support/site/page-parts.mjs';
import { listPages } from '../package/documented-pages.js';
import { PROJECT_ROOT, readProjectFile } from '../package/project.js';

const MOST_WORDS = 2500;

/** Pages that may be longer, with the reason. */
const LONG: Readonly<Record<string, string>> = {
  'docs/architecture.md': 'a map of the source for those who work on it, searched by file',
};

const MADE_BY = /^<!-- Made by .* -->$/m;
const CODE = /^( *)(`{3,}|~{3,}).*\n[^]*?^\1\2 *$/gm;
const MADE_PART = /^<!-- bench:\w+ -->$[^]*?^<!-- bench:end -->$/gm;
const COMMENT = /<!--[^]*?-->/g;
const TABLE_ROW = /^\|.*$/gm;

/** The words that are read: not code, and not tables that a script writes. */
function countWords(text: string): number {
  const prose = [CODE, MADE_PART, COMMENT].reduce((rest, left) => rest.replaceAll(left, ''), text);
  const read = MADE_BY.test(text) ? prose.replaceAll(TABLE_ROW, '') : prose;
  return read.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const pages = listPages()
  .map(({ path }) => path)
  .filter((path) => path.startsWith('docs/'));

describe('the length of a page', () => {
  it.each(pages.filter((path) => !Object.hasOwn(LONG, path)))('%s can be read in one go', (path) => {
    expect(countWords(readProjectFile(path))).toBeLessThanOrEqual(MOST_WORDS);
  });

  it.each(Object.keys(LONG))('%s is longer: otherwise it must leave the list', (path) => {
    expect(countWords(readProjectFile(path))).toBeGreaterThan(MOST_WORDS);
  });

  it('counts what is read', () => {
    const table = '| a | b |\n|---|---|\n| one | two |\n';
    expect(countWords(`# A page\n\nFour words of text.\n\n\`\`\`ts\nlet x = 1;\n\`\`\`\n\n${table}`)).toBe(
      10,
    );
    expect(countWords(`# A page\n\n<!-- Made by a.mjs. -->\n\n${table}`)).toBe(2);
    expect(countWords(`# A page\n\n<!-- bench:table -->\n${table}<!-- bench:end -->\n`)).toBe(2);
  });
});

const overviews = pages.filter((path) => listParts(PROJECT_ROOT, path).length > 0);
const describePage = (file: string): { file: string; title: string } => ({
  file,
  title: readTitle(readProjectFile(file)),
});

describe('the parts of a page', () => {
  it('are there', () => {
    expect(overviews.length).toBeGreaterThan(10);
  });

  it.each(overviews)('of %s end with the next one and the overview', (path) => {
    const parts = listParts(PROJECT_ROOT, path);
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1];
      const last = readProjectFile(part).trimEnd().split('\n').at(-1);
      expect(`${part}: ${last}`).toBe(
        `${part}: ${closePart({ overview: describePage(path), ...(next && { next: describePage(next) }) })}`,
      );
    }
  });
});

describe('the guide', () => {
  const [guide] = JSON.parse(readProjectFile('site/navigation.json')) as { text: string; pages: string[] }[];
  const chain = guide?.pages ?? [];

  it('is the first group of the navigation, and begins with installing', () => {
    expect(guide?.text).toBe('Guide');
    expect(chain[0]).toBe('getting-started');
    expect(chain.length).toBeGreaterThan(7);
  });

  it.each(chain.slice(0, -1).map((name, index) => [name, chain[index + 1] ?? '']))(
    'goes on from %s to %s',
    (name, next) => {
      const last = readProjectFile(`docs/${name}.md`).trimEnd().split('\n').at(-1);
      expect(last).toBe(`Next: [${describePage(`docs/${next}.md`).title}](${next}.md).`);
    },
  );

  it('ends where it ends', () => {
    expect(readProjectFile(`docs/${chain.at(-1)}.md`)).not.toMatch(/^Next: /m);
  });
});

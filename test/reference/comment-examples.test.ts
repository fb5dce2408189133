// The examples in comments, which editors show: each stands on a page of docs, too, where it is compiled and run.
import { describe, expect, it } from 'vitest';
import { readCodeBlocks } from '../package/code-blocks.js';
import { listPages } from '../package/documented-pages.js';
import { readSourceFiles } from '../package/project.js';

const EXAMPLE = /^ \* @example\n((?:^ \*(?!\/).*\n)*)/gm;

const examples = [...readSourceFiles()].flatMap(([path, text]) =>
  [...text.matchAll(EXAMPLE)].flatMap(([, lines = '']) =>
    readCodeBlocks(lines.replaceAll(/^ \* ?/gm, '')).map(({ code }) => ({ path, code })),
  ),
);
const shown = listPages()
  .filter(({ path }) => path.startsWith('docs/'))
  .flatMap(({ blocks }) => blocks.map(({ code }) => code));

describe('examples in comments', () => {
  it('are there', () => {
    const written = [...readSourceFiles()].flatMap(([, text]) => text.match(/\* @example/g) ?? []);
    expect(written.length).toBeGreaterThan(5);
    expect(examples.length).toBe(written.length);
  });

  it.each(examples)('of $path stand on a page that is run', ({ code }) => {
    const unindent = (text: string): string => text.replaceAll(/^ +/gm, '');
    expect(shown.some((block) => unindent(block).includes(unindent(code)))).toBe(true);
  });
});

// docs/faq.md and its parts: the table of questions and the answers belong together, and every answer leads on.
import { describe, expect, it } from 'vitest';
import { readWholePage } from './project.js';

const page = readWholePage('docs/faq.md');
const [top = '', ...groups] = page.split(/^## /m);
const questions = groups.flatMap((group) => group.split(/^### /m).slice(1));

// As code hosts and the site make an anchor of a heading that has nothing but letters, digits, commas and a question mark.
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[?,]/g, '').replaceAll(' ', '-');
}

describe('docs/faq.md', () => {
  it('has a row for each group, and a link to each question in the order of the page', () => {
    const rows = Array.from(top.matchAll(/^\| \[([^\]]+)\]\(faq\/[\w-]+\.md\) \| (.+) \|$/gm));
    expect(rows.map(([, title]) => title)).toEqual(groups.map((group) => group.split('\n')[0]));
    for (const [index, [, , links = '']] of rows.entries()) {
      const headings = (groups[index] ?? '').split(/^### /m).slice(1);
      expect(Array.from(links.matchAll(/\]\(faq\/[\w-]+\.md#([^)]+)\)/g), ([, link]) => link)).toEqual(
        headings.map((text) => anchorOf(text.split('\n')[0] ?? '')),
      );
    }
  });

  it('asks only what can be linked to everywhere', () => {
    for (const text of questions) expect(text.split('\n')[0]).toMatch(/^[\w ,]+\?$/);
  });

  it.each(questions.map((text) => [text.split('\n')[0] ?? '', text] as const))('%s', (_, text) => {
    expect(text).toMatch(/\]\((?!http)(?:\.\.\/)?[\w/-]+\.md/);
  });
});

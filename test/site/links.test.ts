// Links on the pages of the repository: each leads to a file that is there, and to a heading that is on it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBrokenLinks } from '../../scripts/support/site/page-links.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGES =
  /^(?:README|CONTRIBUTING|RECIPES|CHANGELOG|SECURITY)\.md$|^docs\/.*\.md$|^examples\/(?:[^/]+\/)?README\.md$|^(?:site|scripts)\/README\.md$/;

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => PAGES.test(file) && existsSync(`${root}/${file}`));

describe('links on the pages of the repository', () => {
  it('lead somewhere', () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(findBrokenLinks(root, pages)).toEqual([]);
  });

  it('are found to be broken when they are', () => {
    const text = (file: string) => readFileSync(`${root}/${file}`, 'utf8');
    const broken = new Map([
      ['docs/a.md', '[x](b.md) [y](tools.md#no-such-heading) [z](#here) `[no](link)`\n\n## Here\n'],
    ]);
    expect(findBrokenLinks(root, [...broken.keys()], (file) => broken.get(file) ?? text(file))).toEqual([
      'docs/a.md:1 links to b.md, which does not exist',
      'docs/a.md:1 links to tools.md#no-such-heading, a heading that is not on that page',
    ]);
  });
});

// What is read from Markdown: anchors as code hosts make them, links with their place, and nothing that stands in code.
import { describe, expect, it } from 'vitest';
import {
  blankCode,
  firstParagraph,
  listAnchors,
  listHeadings,
  listLinks,
} from '../../scripts/support/site/markdown.mjs';

describe('headings', () => {
  it.each([
    ['# Which CLI is started?', 'which-cli-is-started'],
    ['## `run()`, and what it throws', 'run-and-what-it-throws'],
    ['## A [link](tools.md#x) in it', 'a-link-in-it'],
    ['## tool_use_id', 'tool_use_id'],
    ['## Über – uns', 'über--uns'],
    ['### Closed ###', 'closed'],
  ])('%s', (heading, anchor) => {
    expect(listHeadings(`${heading}\n`).map((found) => found.anchor)).toEqual([anchor]);
  });

  it('count what is there twice, and ids written by hand', () => {
    const text = '# A\n\n## B\n\n## B\n\n<a id="by-hand"></a>\n\n```md\n## C\n```\n';
    expect([...listAnchors(text)]).toEqual(['a', 'b', 'b-1', 'by-hand']);
  });
});

describe('links', () => {
  it('are found with their line, in Markdown and HTML', () => {
    const text =
      'x\n[a](b.md#c) ![d](e.png)\n\n[f]: g.md\n<img src="h.png" alt="">\n<source media="m" srcset="i.png">\n';
    expect(listLinks(text).map(({ target, line }) => [target, line])).toEqual([
      ['b.md#c', 2],
      ['e.png', 2],
      ['g.md', 4],
      ['h.png', 5],
      ['i.png', 6],
    ]);
  });

  it('in code are none', () => {
    const text =
      '`[a](b)` and ``[c](`d`)``\n\n- list\n\n  ```md\n  [e](f)\n  ```\n\n<!-- [g](h) -->\n[i](j)\n';
    expect(listLinks(text).map(({ target }) => target)).toEqual(['j']);
    expect(blankCode(text)).toHaveLength(text.length);
  });
});

it('says what a page is for', () => {
  expect(firstParagraph('# Title\n\n<!-- made -->\n\nOne [two](three.md)\n`four`.\n\nFive.\n')).toBe(
    'One two four.',
  );
});

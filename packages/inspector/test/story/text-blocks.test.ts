// What models write, cut into blocks; and that nothing of it becomes an address that runs.
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readBlocks, type MarkdownBlock } from '../../src/model/story/text-blocks.js';
import { readSpans, safeAddress, type TextSpan } from '../../src/model/story/text-spans.js';

const plain = (text: string): TextSpan => ({ type: 'text', text });

describe('blocks', () => {
  it('are paragraphs, headings, lists, tables, quotes, rules and code', () => {
    const text = [
      '## The plan',
      'Two lines',
      'of one paragraph.',
      '',
      '- one',
      '  - inner',
      '- [x] done',
      '1. first',
      '',
      '> quoted',
      '---',
      '| a | b |',
      '|---|---|',
      '| 1 | `2` |',
      '```ts',
      'const x = 1;',
      '',
      '# not a heading',
      '```',
      'end',
    ].join('\n');
    expect(readBlocks(text)).toEqual([
      { type: 'heading', level: 2, spans: [plain('The plan')] },
      { type: 'paragraph', spans: [plain('Two lines\nof one paragraph.')] },
      {
        type: 'list',
        lines: [
          { depth: 0, mark: '-', isDone: undefined, spans: [plain('one')] },
          { depth: 1, mark: '-', isDone: undefined, spans: [plain('inner')] },
          { depth: 0, mark: '-', isDone: true, spans: [plain('done')] },
          { depth: 0, mark: '1.', isDone: undefined, spans: [plain('first')] },
        ],
      },
      { type: 'quote', spans: [plain('quoted')] },
      { type: 'rule' },
      {
        type: 'table',
        head: [[plain('a')], [plain('b')]],
        rows: [[[plain('1')], [{ type: 'code', text: '2' }]]],
      },
      { type: 'code', language: 'ts', text: 'const x = 1;\n\n# not a heading' },
      { type: 'paragraph', spans: [plain('end')] },
    ]);
  });

  it('are shown while they stream: code that is not closed, a table that is not one yet', () => {
    expect(readBlocks('```sh\nls -1')).toEqual([{ type: 'code', language: 'sh', text: 'ls -1' }]);
    expect(readBlocks('| place |')).toEqual([{ type: 'paragraph', spans: [plain('| place |')] }]);
    expect(readBlocks('')).toEqual([]);
  });

  it('end code at a fence alone, not at one with something behind it', () => {
    expect(readBlocks('```\n```a\n````\nb')).toEqual([
      { type: 'code', language: '', text: '```a' },
      { type: 'paragraph', spans: [plain('b')] },
    ]);
  });

  it('lose no word, whatever the text', () => {
    const words = fc.constantFrom(
      'a',
      '*',
      '**',
      '`',
      '```',
      '|',
      '- ',
      '# ',
      '\n',
      '\n\n',
      '> ',
      'b c',
      '[',
      '](',
      ')',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const letters = (value: string): string => value.replaceAll(/[^abc]/g, '');
        // The language of a fence is the one thing that stands outside of a text.
        expect(letters(JSON.stringify(readBlocks(text).map(wordsOf)))).toBe(letters(text));
      }),
      { numRuns: 300 },
    );
  });
});

function wordsOf(block: MarkdownBlock): string {
  const join = (spans: readonly TextSpan[]): string => spans.map(({ text }) => text).join('');
  switch (block.type) {
    case 'code':
      return block.language + block.text;
    case 'list':
      return block.lines.map(({ spans }) => join(spans)).join('');
    case 'table':
      return [block.head, ...block.rows].flat().map(join).join('');
    case 'rule':
      return '';
    default:
      return join(block.spans);
  }
}

describe('the inside of a line', () => {
  it('is code, bold, italics and links', () => {
    expect(readSpans('a `b*c` **d** *e* [f](https://g.example/h) i')).toEqual([
      plain('a '),
      { type: 'code', text: 'b*c' },
      plain(' '),
      { type: 'strong', text: 'd' },
      plain(' '),
      { type: 'emphasis', text: 'e' },
      plain(' '),
      { type: 'link', text: 'f', href: 'https://g.example/h' },
      plain(' i'),
    ]);
  });

  it('leaves sums and lonely marks alone', () => {
    for (const text of ['2 * 3 * 4', 'a ** b', 'it`s', '**', '[x](y)', '[[a](b)'])
      expect(readSpans(text)).toEqual([plain(text)]);
  });

  it('finds addresses, without the end of the sentence', () => {
    expect(readSpans('See https://a.example/b?c=1.')).toEqual([
      plain('See '),
      { type: 'link', text: 'https://a.example/b?c=1', href: 'https://a.example/b?c=1' },
      plain('.'),
    ]);
  });

  it('makes a link of nothing but http and https', () => {
    const refused = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,<script>1</script>',
      'file:///etc/passwd',
      '//a.example',
      'https://user:secret@a.example/',
      'https://',
      'vbscript:x',
    ];
    for (const address of refused) {
      expect(safeAddress(address)).toBeUndefined();
      expect(readSpans(`[x](${address})`).filter(({ type }) => type === 'link')).toEqual([]);
    }
    expect(safeAddress(' https://a.example')).toBeUndefined();
    expect(safeAddress('http://127.0.0.1:8080/x')).toBe('http://127.0.0.1:8080/x');
  });
});

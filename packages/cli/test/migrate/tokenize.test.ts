// The tokenizer: it loses nothing, ends, says where a text stops making sense, and tells division from expressions.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from '../../src/migrate/tokens/tokenize.js';
import { createPositions } from '../../src/migrate/tokens/positions.js';
import { stringValue } from '../../src/migrate/tokens/string-value.js';
import type { TokenKind } from '../../src/migrate/tokens/token.js';

const cut = (source: string, jsx = false) => tokenize(source, { jsx });
const textsOf = (source: string, kind: TokenKind, jsx = false): string[] =>
  cut(source, jsx)
    .tokens.filter((token) => token.kind === kind)
    .map(({ text }) => text);

// Pieces that begin and end things, so that random texts get into every state.
const PIECES = [
  '`',
  '${',
  '}',
  '{',
  '(',
  ')',
  '[',
  ']',
  '<',
  '>',
  '</',
  '/>',
  '/',
  '//',
  '/*',
  '*/',
  '"',
  "'",
  '\\',
  '\n',
  '\r\n',
].concat([
  'if',
  'return',
  'a',
  'import',
  'from',
  '=>',
  '=',
  '!',
  '++',
  '.',
  '?.',
  '1',
  '0x1f',
  'div',
  ' ',
  ':',
  ',',
  '#',
  '@',
  '\u2028',
  '\ud800',
  'é',
]);
const program = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
);

describe('tokenize', () => {
  it('gives any text back, whatever it is, and says where it makes no sense', () => {
    fc.assert(
      fc.property(program, fc.boolean(), (source, jsx) => {
        const { tokens, problem } = cut(source, jsx);
        expect(tokens.map(({ text }) => text).join('')).toBe(source);
        for (const { text, start } of tokens)
          expect(source.startsWith(text, start) && text.length > 0).toBe(true);
        if (!problem) return;
        expect(problem.offset).toBeGreaterThanOrEqual(0);
        expect(problem.offset).toBeLessThan(source.length);
        expect(problem.message).toMatch(/\.$/);
      }),
      { numRuns: 300 },
    );
  });

  // Work is counted, not time: each of these would take squared steps if anything were looked at again and again.
  it.each(['`${', '<a>', '{', '(', '/', '"\\\n', '/*', 'a<', '<T>(', '\\u{', '[/', "'", '1e', '#', '<a b='])(
    'takes a long run of %j',
    (piece) => {
      for (const jsx of [true, false]) {
        const { tokens } = cut(piece.repeat(12_000), jsx);
        expect(tokens.length).toBeLessThanOrEqual(piece.length * 12_000);
      }
    },
    5000,
  );

  it.each([
    ['a = b / c / d', []],
    ['a = /b/g.test(c)', ['/b/g']],
    ['if (a) /b/.test(c)', ['/b/']],
    ['(a) / b / c', []],
    ['a[0] / b / c', []],
    ['a++ / b / c', []],
    ['a! / b / c', []],
    ['return /[/]"/', ['/[/]"/']],
    ['x.return / 2 / 3', []],
    ['function f() {}\n/a/.test(b)', ['/a/']],
    ['const o = {} / 2 / 3', []],
    ['`${a / b}` / c / d', []],
    ['`${/a}/.test(b)}`', ['/a}/']],
    ['for await (const a of b) /c/.exec(a)', ['/c/']],
    ['a => /b/', ['/b/']],
    ['typeof /a/', ['/a/']],
  ])('finds the expressions of %j', (source, expected) => {
    expect(textsOf(source, 'regex')).toEqual(expected);
  });

  it.each([
    ["const a = <p title='it is \"x\"'>don't {name + 'x'} stop</p>; f('y')", ['\'it is "x"\'', "'x'", "'y'"]],
    ["<><a href='b' />it's</>; 'c'", ["'b'", "'c'"]],
    ["const f = <T,>(x: T) => 'a'", ["'a'"]],
    ["const f = <T extends object>(x: T) => 'a'", ["'a'"]],
    ["type F = <T>(x: T) => 'a'", ["'a'"]],
    ["a < b ? 'c' : 'd'", ["'c'", "'d'"]],
    ["<A b={<i>it's</i>} c='d'>{/* ' */}</A>", ["'d'"]],
    ["<A<string> b='c'>x</A>", ["'c'"]],
    ["return <b>(it's)</b>", []],
  ])('reads the elements of %j', (source, expected) => {
    expect(textsOf(source, 'string', true)).toEqual(expected);
    expect(cut(source, true).problem).toBeUndefined();
  });

  it.each([
    ["const a = 'b\nc", 10, 'text'],
    ['a /* b', 2, 'comment'],
    ['f(`a${b', 2, 'template'],
    ['f(a', 1, 'never closed'],
    ['f(a]', 3, 'closes nothing'],
    ['}', 0, 'closes nothing'],
    ['a \u0001 b', 2, 'no meaning'],
  ])('says where %j stops making sense', (source, offset, words) => {
    const { problem } = cut(source);
    // What is open at the end is named where it began; of a template, its last hole.
    if (words !== 'template') expect(problem?.offset).toBe(offset);
    expect(problem?.message).toContain(words === 'template' ? 'never closed' : words);
  });

  it('keeps nested templates apart', () => {
    const source = "`a${`b${'c'}d`}e${{ f: '}' }}`";
    expect(cut(source).problem).toBeUndefined();
    expect(textsOf(source, 'string')).toEqual(["'c'", "'}'"]);
  });
});

describe('positions and values', () => {
  it('counts lines of every kind from 1', () => {
    const position = createPositions('a\nb\r\nc\rd\u2028e');
    expect([0, 2, 5, 7, 9].map(position)).toEqual([1, 2, 3, 4, 5].map((line) => ({ line, column: 1 })));
    expect(position(1)).toEqual({ line: 1, column: 2 });
  });

  it.each(['a', "it's", 'a"b', '\\', '\n\t\0', 'é\u{1f600}', '`', '${'])(
    'reads the text %j as it was meant',
    (text) => {
      const [token] = cut(JSON.stringify(text)).tokens;
      expect(stringValue(token)).toBe(text);
    },
  );

  it('knows escapes that JSON has not', () => {
    expect(
      stringValue(
        cut(String.raw`'\x41\u{42}\'\
C'`).tokens[0],
      ),
    ).toBe("AB'C");
    expect(stringValue(cut('`a`').tokens[0])).toBe('a');
    expect(stringValue(cut('`a${b}`').tokens[0])).toBeUndefined();
  });
});

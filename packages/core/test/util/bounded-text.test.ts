import { describe, expect, it } from 'vitest';
import { boundText, cutText, quoteInput, toOneLine } from '../../src/util/bounded-text.js';

describe('bounded texts', () => {
  it('says how much was left out', () => {
    expect(boundText('abcdef', 6)).toBe('abcdef');
    expect(boundText('abcdef', 4)).toBe('abcd… (2 more characters)');
    expect(quoteInput('x'.repeat(203))).toBe(`"${'x'.repeat(200)}… (3 more characters)"`);
  });

  it('cuts to a length with the sign that it did', () => {
    expect(cutText('abcdef', 6)).toBe('abcdef');
    expect(cutText('abcdefg', 6)).toBe('abcde…');
  });

  it('leaves no half of a character', () => {
    expect(cutText('abc\u{1F600}def', 5)).toBe('abc…');
    expect(boundText('abc\u{1F600}', 4)).toBe('abc… (2 more characters)');
  });

  it('puts a text on one line', () => {
    expect(toOneLine('  one\n\n two\tthree ', 20)).toBe('one two three');
    expect(toOneLine('one\ntwo three', 8)).toBe('one two…');
  });

  it('looks at the start of a long text only', () => {
    const long = 'word '.repeat(1_000_000);
    expect(toOneLine(long, 9)).toBe('word wor…');
  });
});

// Lines that are broken between words: on a terminal, and not in a pipe.
import { describe, expect, it } from 'vitest';
import { DemoView } from '../src/demo/demo-view.js';
import { lineWidthOf, wrapWords } from '../src/terminal/wrap-words.js';
import { createFakeTerminal } from './fake-terminal.js';

describe('wrapping', () => {
  it('breaks between words, keeps line breaks, and indents what follows', () => {
    expect(wrapWords('one two three\nfour five six', { columns: 10, indent: '  ' })).toBe(
      'one two\n  three\n  four\n  five six',
    );
  });

  it('counts what already stands in the first line', () => {
    expect(wrapWords('one two', { columns: 10, used: 5 })).toBe('one\ntwo');
  });

  it('cuts no word, and gives one that is too long for the rest of a line the next line', () => {
    expect(wrapWords('a/long/path/that/stays whole', { columns: 12 })).toBe('a/long/path/that/stays\nwhole');
    expect(wrapWords('a/path/of/14c now', { columns: 16, indent: '  ', used: 8 })).toBe(
      '\n  a/path/of/14c\n  now',
    );
  });

  it('counts characters that may be wide as two columns', () => {
    expect(wrapWords('反転 反転', { columns: 8 })).toBe('反転\n反転');
  });

  it('knows the columns of a terminal, and no limit in a pipe', () => {
    const terminal = createFakeTerminal({ isTTY: true });
    expect(lineWidthOf(terminal)).toBe(80);
    Object.assign(terminal.stdout, { columns: 120 });
    expect(lineWidthOf(terminal)).toBe(120);
    expect(lineWidthOf(createFakeTerminal())).toBe(Infinity);
  });
});

describe('the demo', () => {
  const PROMPT = 'Two more guests have come. Seat them, then tell me how many are in the house.';
  const draw = (isTTY: boolean): string[] => {
    const terminal = createFakeTerminal({ isTTY, env: { NO_COLOR: '1' } });
    const view = new DemoView(terminal, true);
    view.show('you', PROMPT);
    view.showLine('in', `{"note":"${PROMPT}"}`);
    return terminal.written().stdout.trimEnd().split('\n');
  };

  it('breaks its lines between words at 80 columns, but no line of the wire', () => {
    const lines = draw(true);
    expect(lines.slice(0, 2).map((line) => line.slice(20))).toEqual([
      'Two more guests have come. Seat them, then tell me how many',
      'are in the house.',
    ]);
    expect(lines[2]).toContain(`<- {"note":"${PROMPT}"}`);
  });

  it('keeps its lines whole in a pipe', () => {
    expect(draw(false)).toHaveLength(2);
  });
});

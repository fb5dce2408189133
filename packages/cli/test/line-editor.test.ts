// The prompt on a terminal in memory; test/e2e/cli.long.test.ts has a real one.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LineEditor } from '../src/terminal/line-editor.js';
import { printLine } from '../src/terminal/terminal.js';
import { createFakeTerminal } from './fake-terminal.js';

const [UP, DOWN, CTRL_C, CTRL_D] = ['\u001b[A', '\u001b[B', '\u0003', '\u0004'];

function open() {
  const terminal = createFakeTerminal({ isTTY: true });
  const modes: boolean[] = [];
  Object.assign(terminal.stdin, { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const editor = new LineEditor(terminal);
  const controller = new AbortController();
  const type = async (...keys: string[]): Promise<string | undefined> => {
    const answer = editor.read('you> ', controller.signal);
    for (const key of keys) {
      terminal.stdin.write(key);
      await turn();
    }
    return answer;
  };
  return { terminal, editor, type, modes, controller };
}

describe('LineEditor', () => {
  it('reads one line after the other, and gives the terminal back between them', async () => {
    const { terminal, type, modes } = open();
    expect(await type('one\r')).toBe('one');
    expect(modes).toEqual([true, false]);
    expect(await type('two\r')).toBe('two');
    expect(terminal.stdin.listenerCount('keypress')).toBe(0);
    // Each key once, however many prompts there were.
    expect(terminal.written().stderr).not.toContain('ttwwoo');
  });

  it('brings back earlier lines by arrow keys, also one that was given in another way', async () => {
    const { editor, type } = open();
    editor.remember('zero');
    expect(await type('one\r')).toBe('one');
    expect(await type(UP, '\r')).toBe('one');
    expect(await type(UP, UP, '!\r')).toBe('zero!');
    expect(await type(UP, UP, DOWN, '\r')).toBe('zero!');
  });

  it('takes pasted lines for one text', async () => {
    const { type } = open();
    expect(await type('a\nb\n')).toBe('a\nb');
    expect(await type('a\nb', ' and more\r')).toBe('a\nb and more');
  });

  it('is left by Ctrl-C on an empty line, which else only clears it, and by Ctrl-D', async () => {
    const { type } = open();
    expect(await type('junk', CTRL_C, 'good\r')).toBe('good');
    expect(await type('a\nb', CTRL_C, 'c\r')).toBe('c');
    expect(await type('junk', CTRL_C, CTRL_C)).toBeUndefined();
    expect(await type(CTRL_D)).toBeUndefined();
  });

  it('is left when the input ends or the signal fires', async () => {
    const ended = open();
    const answer = ended.type();
    ended.terminal.stdin.end();
    expect(await answer).toBeUndefined();
    const stopped = open();
    const other = stopped.type();
    stopped.controller.abort();
    expect(await other).toBeUndefined();
    expect(await stopped.type()).toBeUndefined();
  });

  it('makes room for what is written meanwhile, and keeps what was typed', async () => {
    const { terminal, editor, type } = open();
    const answer = type('half');
    await turn();
    await turn();
    editor.aside(() => printLine(terminal, 'news'));
    await turn();
    expect(terminal.written().stdout).toBe('news\n');
    expect(terminal.written().stderr.endsWith('you> half\u001b[10G')).toBe(true);
    terminal.stdin.write(' done\r');
    expect(await answer).toBe('half done');
  });
});

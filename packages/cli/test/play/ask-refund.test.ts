// How a person is asked about a refund, at a terminal and in a pipe.
import { describe, expect, it } from 'vitest';
import { createRefundAsker, readRefundAnswer } from '../../src/play/ask-refund.js';
import { PlayLines } from '../../src/play/play-lines.js';
import { createFakeTerminal } from '../fake-terminal.js';
import type { CanUseToolOptions } from '@inboard/inboard/index.js';

const INPUT = { order: 1042, amount: 40 };
const REFUND = 'mcp__shop__refund_order';

function open({ isTTY }: { isTTY: boolean }) {
  const terminal = createFakeTerminal({ isTTY });
  const lines = new PlayLines(terminal);
  const ask = createRefundAsker({ terminal, lines }, false);
  const page = new AbortController();
  const asked = (name = REFUND) => ask(name, INPUT, { signal: page.signal } as CanUseToolOptions);
  return { terminal, lines, asked, page };
}

describe('readRefundAnswer', () => {
  it.each([
    ['y', 'yes'],
    [' YES ', 'yes'],
    ['no', 'no'],
    ['e', 'edit'],
    ['30', { amount: 30 }],
    ['12,50 EUR', { amount: 12.5 }],
    ['edit 7.5 euros', { amount: 7.5 }],
    ['€5', { amount: 5 }],
    ['5 dollars', undefined],
    ['yes please', undefined],
    ['refund 30', undefined],
    ['30.123', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('reads %j', (line, answer) => {
    expect(readRefundAnswer(line)).toEqual(answer);
  });
});

describe('a question at a terminal', () => {
  it('takes another amount, after an answer that is none', async () => {
    const { terminal, asked } = open({ isTTY: true });
    const answer = asked();
    await terminal.waitFor('or an amount: ');
    terminal.stdin.write('perhaps\n');
    await expect.poll(() => terminal.written().stderr.split('or an amount: ').length).toBe(3);
    terminal.stdin.write('edit\n');
    await terminal.waitFor('Which amount, in EUR? ');
    terminal.stdin.write('25\n');
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: { order: 1042, amount: 25 } });
    expect(terminal.written().stderr.split('waits for y, n, or an amount').length).toBe(2);
  });

  it('makes room at the prompt, which comes back when the page has answered', async () => {
    const { terminal, lines, asked, page } = open({ isTTY: true });
    const line = lines.readPrompt(terminal.signal);
    await terminal.waitFor('you> ');
    const answer = asked();
    await terminal.waitFor('or an amount: ');
    page.abort();
    expect(await answer).toMatchObject({ behavior: 'deny' });
    await terminal.waitFor('Answered on the page, or withdrawn.');
    await expect.poll(() => terminal.written().stderr.split('you> ').length).toBe(3);
    terminal.stdin.write('hello\r');
    expect(await line).toBe('hello');
  });
});

describe('a question in a pipe', () => {
  it('is answered by the next line, if that is an answer', async () => {
    const { terminal, lines, asked } = open({ isTTY: false });
    terminal.stdin.write('30\nwhere is 1042?\n');
    expect(await asked()).toEqual({ behavior: 'allow', updatedInput: { order: 1042, amount: 30 } });
    expect(await asked()).toEqual({ behavior: 'deny', message: 'There was no answer.' });
    expect(await lines.readPrompt(terminal.signal)).toBe('where is 1042?');
    terminal.stdin.end();
    expect(await asked()).toEqual({ behavior: 'deny', message: 'The user said no.' });
    expect(await lines.readPrompt(terminal.signal)).toBeUndefined();
  });

  it('is asked about refunds only', async () => {
    const { asked } = open({ isTTY: false });
    expect(await asked('Bash')).toMatchObject({ behavior: 'deny' });
  });
});

// A session on one line: state, tokens, cost and errors, each counted once.
import { describe, expect, it } from 'vitest';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import type { SessionSummary } from '../../src/model/session-summary.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { EventMaker, makeLiveSession, readFixture } from '../support/make-events.js';

function sum(events: readonly NumberedEvent[]): SessionSummary {
  const ledger = new SummaryLedger('s1');
  for (const event of events) ledger.push(event);
  return ledger.read();
}

/** Every state that was shown, once after the other. */
function statesOf(events: readonly NumberedEvent[]): string[] {
  const ledger = new SummaryLedger('s1');
  const seen: string[] = [];
  for (const event of events) {
    ledger.push(event);
    const { state, stateText } = ledger.read();
    const line = state === 'waiting' || state === 'failed' ? `${state}: ${stateText}` : state;
    if (seen.at(-1) !== line) seen.push(line);
  }
  return seen;
}

describe('a summary', () => {
  it('of a recording has what its results report', () => {
    expect(sum(readFixture('story'))).toMatchObject({
      kind: 'trace',
      state: 'ended',
      stateText: 'exit code 0',
      model: 'claude-sonnet-4-5-20250929',
      permissionMode: 'default',
      cwd: '/home/you/project',
      claudeCodeVersion: '2.1.325',
      turns: 2,
      tokens: { input: 30_600, output: 1214, cacheRead: 25_700, cacheWrite: 0 },
      // One call failed; one that was denied is no error.
      errors: 1,
      waiting: 0,
      events: 254,
      prompt: expect.stringMatching(/^Can we deliver/) as string,
      answer: expect.stringMatching(/^At 97 a week/) as string,
      title: expect.stringMatching(/^Can we deliver/) as string,
    });
    expect(sum(readFixture('story')).costUsd).toBeCloseTo(0.11772, 6);
  });

  it('adds its shares up to its duration', () => {
    const { shares, durationMs } = sum(readFixture('story'));
    const all = Object.values(shares).reduce((whole, share) => whole + share, 0);
    expect(all).toBeCloseTo(durationMs, 3);
    expect(Math.round(shares.permission / 100)).toBe(21);
  });

  it('follows a session from start to end', () => {
    expect(statesOf(makeLiveSession())).toEqual([
      'starting',
      'working',
      'waiting: send wants to run',
      'working',
      'idle',
      'ended',
    ]);
    expect(statesOf(readFixture('story')).filter((state) => state.startsWith('waiting'))).toEqual([
      'waiting: send_mail wants to run',
      'waiting: refund_order wants to run',
    ]);
  });

  it('counts no error for an interrupt, a hook that blocks, or an attempt that is repeated', () => {
    expect(sum(readFixture('marks'))).toMatchObject({ errors: 0, turns: 5, state: 'ended' });
  });

  it('has the model and the mode that hold now', () => {
    expect(sum(readFixture('marks'))).toMatchObject({
      model: 'claude-opus-5-5',
      permissionMode: 'acceptEdits',
    });
  });
});

describe('tokens', () => {
  it('of the open turn are counted by messages, though their lines repeat', () => {
    const maker = new EventMaker().open().prompt('Go.').init();
    const usage = (output: number): object => ({ input_tokens: 50, output_tokens: output });
    maker.streamed({ type: 'message_start', message: { id: 'm1', usage: usage(1) } });
    maker.assistant({ type: 'text', text: 'a' }, { id: 'm1' });
    maker.assistant({ type: 'text', text: 'b' }, { id: 'm1' });
    expect(sum(maker.events).tokens).toMatchObject({ input: 100, output: 10 });
    maker.streamed({ type: 'message_delta', usage: { output_tokens: 42 } });
    expect(sum(maker.events).tokens).toMatchObject({ input: 100, output: 42 });
  });

  it('and cost go on over several CLIs of one conversation', () => {
    const maker = new EventMaker().open('conversation').prompt('One.').init();
    maker.turnEnd('1', { costUsd: 0.5 }).end(null, 'SIGKILL').header().prompt('Two.').init();
    maker.turnEnd('2', { costUsd: 0.2 }).end();
    expect(sum(maker.events)).toMatchObject({ turns: 2, tokens: { input: 200, output: 20 } });
    expect(sum(maker.events).costUsd).toBeCloseTo(0.7, 9);
  });
});

describe('the end', () => {
  const begin = (): EventMaker => new EventMaker().open().prompt('Go.').init();

  it('of a turn that failed is one error, whatever the CLI and the SDK say after it', () => {
    const failed = begin().turnEnd('', {
      fields: { subtype: 'error_max_turns', is_error: true, result: undefined, errors: ['Too many turns'] },
    });
    failed.end(1).over({ code: 'RESULT_ERROR', message: 'The turn failed' });
    expect(sum(failed.events)).toMatchObject({ state: 'failed', stateText: 'Too many turns', errors: 1 });
  });

  it('is a failure when a CLI goes with a code, and none when it was told to', () => {
    expect(sum(begin().end(1).events)).toMatchObject({
      state: 'failed',
      stateText: 'exit code 1',
      errors: 1,
    });
    const told = begin();
    told.push({ type: 'terminate', t: told.t }).end(143);
    expect(sum(told.events)).toMatchObject({ state: 'ended', errors: 0 });
    expect(sum(begin().over({ code: 'X', message: 'No CLI' }).events)).toMatchObject({
      state: 'failed',
      stateText: 'No CLI',
    });
  });

  it('of a recording that stops is that it was cut', () => {
    const ledger = new SummaryLedger('s1');
    for (const event of begin().events) ledger.push(event);
    expect(ledger.read().state).toBe('working');
    ledger.cutOff();
    expect(ledger.read()).toMatchObject({ state: 'cut', waiting: 0 });
  });

  it('leaves nobody waiting', () => {
    const maker = begin().asked({ id: 'q1' }).asked({ id: 'q2', kind: 'dialog', title: 'Log in' });
    expect(sum(maker.events)).toMatchObject({
      state: 'waiting',
      stateText: 'send wants to run, and 1 more',
      waiting: 2,
    });
    expect(sum(maker.settled('q1').events)).toMatchObject({ stateText: 'Log in', waiting: 1 });
    expect(sum(maker.end().over().events)).toMatchObject({ state: 'ended', waiting: 0 });
  });
});

// Sessions that wait: for a person or a detached tool without a CLI, and for the results of pending calls.
import { describe, expect, it } from 'vitest';
import { pendingLine, stateWord } from '../../src/model/story/call-lines.js';
import { Story } from '../../src/model/story/story.js';
import type { CallItem } from '../../src/model/story/story-item.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import type { SessionSummary } from '../../src/model/session-summary.js';
import type { WaitedFor } from '../../src/stream/inspector-event.js';
import { EventMaker } from '../support/make-events.js';

const PAY = { type: 'tool_use', id: 'c1', name: 'mcp__shop__pay', input: { order: '7' } };
const PENDING = {
  id: 'pending key',
  kind: 'pending',
  subject: PAY.name,
  title: 'pay waits for its result',
  description: 'the bank decides',
  toolUseId: 'c1',
  callKey: 'key',
} as const;

const begin = (): EventMaker => new EventMaker().open('conversation').prompt('Pay.').init().assistant(PAY);

/** The CLI is ended, because the turn waits for something, or nothing is to be done. */
function letGo(maker: EventMaker, ...waitsFor: WaitedFor[]): EventMaker {
  maker.push({ type: 'terminate', t: maker.t }).end(143);
  return maker.push({ type: 'suspended', t: maker.t, waitsFor });
}

function sum(maker: EventMaker): SessionSummary {
  const ledger = new SummaryLedger('s1');
  for (const event of maker.events) ledger.push(event);
  return ledger.read();
}

function tell(maker: EventMaker): Story {
  const story = new Story();
  for (const event of maker.events) story.push(event);
  return story;
}

const callOf = (maker: EventMaker): CallItem =>
  tell(maker).items.find((item): item is CallItem => item.kind === 'call') as CallItem;

describe('a session without a CLI', () => {
  it('waits for a person, with its question, and is neither ended nor working', () => {
    const maker = letGo(begin(), 'person').asked({ id: 'q1', toolUseId: 'c1', subject: PAY.name });
    expect(sum(maker)).toMatchObject({
      state: 'waiting',
      stateText: 'pay wants to run; no CLI runs meanwhile',
      waiting: 1,
      waitsFor: ['person'],
      isSuspended: true,
      errors: 0,
    });
    expect(callOf(maker)).toMatchObject({ state: 'asking', endT: undefined });
    const marks = tell(maker).items.flatMap((item) => (item.kind === 'mark' ? [item.text] : []));
    expect(marks.at(-1)).toBe('Waits for a person; no CLI runs meanwhile');
  });

  it('waits for a person also in the moment before its question is there', () => {
    expect(sum(letGo(begin(), 'person'))).toMatchObject({
      state: 'waiting',
      stateText: 'waits for a person; no CLI runs meanwhile',
    });
  });

  it('goes on with the next one', () => {
    const maker = letGo(begin(), 'person').asked({ id: 'q1', toolUseId: 'c1' }).settled('q1');
    maker.push({
      type: 'completed',
      t: maker.t,
      frame: {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'paid' }] },
        completed: {
          callKey: 'k',
          toolUseId: 'c1',
          toolName: PAY.name,
          input: {},
          how: 'ran',
          delivered: true,
        },
      },
    });
    maker.header().init();
    expect(sum(maker)).toMatchObject({ state: 'working', waiting: 0 });
    expect(sum(maker).isSuspended).toBeUndefined();
    expect(callOf(maker)).toMatchObject({ state: 'done', permission: { outcome: 'allowed' } });
  });

  it('works while a detached tool runs, and shows its call as running', () => {
    const maker = letGo(begin(), 'detached');
    expect(sum(maker)).toMatchObject({ state: 'working', stateText: 'a tool runs; no CLI runs meanwhile' });
    expect(callOf(maker)).toMatchObject({ state: 'running', endT: undefined });
  });

  it('is idle when it has no turn', () => {
    const maker = letGo(begin().result('c1', 'paid').turnEnd('Paid.'));
    expect(sum(maker)).toMatchObject({ state: 'idle', waiting: 0, isSuspended: true });
    expect(sum(maker).waitsFor).toBeUndefined();
  });

  it('is over when the conversation is', () => {
    const maker = letGo(begin(), 'person').over();
    expect(sum(maker)).toMatchObject({ state: 'ended', waiting: 0 });
    expect(callOf(maker).state).toBe('cut');
  });
});

describe('a pending call', () => {
  it('waits for its result, says why, and can be named by its key', () => {
    const maker = begin().asked(PENDING);
    expect(sum(maker)).toMatchObject({
      state: 'waiting',
      stateText: 'pay waits for its result',
      waitsFor: ['pending'],
    });
    const call = callOf(maker);
    expect(call).toMatchObject({ state: 'pending', pending: { callKey: 'key', note: 'the bank decides' } });
    expect(stateWord(call)).toBe('waits for its result');
    expect(call.pending && pendingLine(call.pending)).toBe('its result comes later: the bank decides');
  });

  it('stays pending when its CLI is let go or dies, until it has its result', () => {
    for (const maker of [
      letGo(begin().asked(PENDING), 'pending'),
      begin().asked(PENDING).end(null, 'SIGKILL'),
    ]) {
      expect(sum(maker)).toMatchObject({ state: 'waiting', waiting: 1 });
      expect(callOf(maker)).toMatchObject({ state: 'pending', endT: undefined });
      maker.wait(3000).settled(PENDING.id, { outcome: 'completed', by: 'inspector' });
      const { state, pending } = callOf(maker);
      expect(state).toBe('running');
      expect(pending && pendingLine(pending)).toMatch(/^completed by you after 3(\.0)? s: the bank decides$/);
      maker.header().init().result('c1', 'paid');
      expect(callOf(maker)).toMatchObject({ state: 'done' });
      expect(sum(maker)).toMatchObject({ waiting: 0 });
    }
  });

  it('that ended elsewhere says only how long it was pending', () => {
    const maker = begin().asked(PENDING).wait(2000).settled(PENDING.id, { outcome: 'over', by: undefined });
    const { pending } = callOf(maker);
    expect(pending && pendingLine(pending)).toMatch(/^was pending for 2(\.0)? s/);
  });

  it('is cut off when the session is over', () => {
    const maker = begin().asked(PENDING).over();
    expect(sum(maker)).toMatchObject({ waiting: 0 });
    expect(callOf(maker).state).toBe('cut');
  });
});

// The parts of the workflows that need no Temporal: which answers count, how large a conversation may be, and when an attempt looks.
import { describe, expect, it } from 'vitest';
import { dropOldEnds, hasRoom, isCarriable } from '../../src/temporal/workflow/carried-size.js';
import { LookPause } from '../../src/temporal/workflow/look-pause.js';
import { isTurnAnswer } from '../../src/temporal/workflow/turn-answers.js';

describe('an answer', () => {
  it.each([
    [{ id: 'q', result: { behavior: 'allow' } }],
    [{ id: 'q', result: { behavior: 'deny', message: 'No.' }, by: 'ann' }],
  ])('may be %j', (answer) => {
    expect(isTurnAnswer(answer)).toBe(true);
  });

  it.each([
    [undefined],
    [null],
    ['yes'],
    [{ result: { behavior: 'allow' } }],
    [{ id: 'q' }],
    [{ id: 'q', result: null }],
    [{ id: 'q', result: 'yes' }],
    [{ id: 'q', result: { behavior: 'ask' } }],
    [{ id: 'q', result: { behavior: 'deny' } }],
    [{ id: 'q', result: { behavior: 'deny', message: 7 } }],
    [{ id: 'q', result: { behavior: 'allow' }, by: { name: 'ann' } }],
  ])('may not be %j', (answer) => {
    expect(isTurnAnswer(answer)).toBe(false);
  });
});

describe('what a new run takes over', () => {
  const message = (kilobytes: number) => ({ id: '1', content: 'a'.repeat(kilobytes * 1000) });

  it('has at most 1 MB of turns, counted in bytes', () => {
    expect(hasRoom([message(500)], message(400))).toBe(true);
    expect(hasRoom([message(500)], message(500))).toBe(false);
    expect(hasRoom([], { content: 'ä'.repeat(500_000) })).toBe(false);
  });

  it('is at most 1.5 MB, for which the oldest outcomes go', () => {
    const inbox = [message(700)];
    expect(isCarriable({ inbox })).toBe(true);
    expect(isCarriable({ inbox: [message(900), message(700)] })).toBe(false);
    const ended = ['1', '2', '3'].map((id) => ({ id, text: 'a'.repeat(300_000) }));
    const carried = dropOldEnds({ inbox, ended });
    expect(carried.inbox).toEqual(inbox);
    expect(carried.ended.map(({ id }) => id)).toEqual(['2', '3']);
    expect(dropOldEnds({ inbox: [message(1600)], ended }).ended).toEqual([]);
  });
});

describe('the pause before a look after pending calls', () => {
  const call = (callKey: string) => [{ callKey }] as Parameters<LookPause['next']>[0];

  it('doubles up to an hour, and is short again after a message and for other calls', () => {
    const look = new LookPause();
    const minutes = (): number => look.next(call('a')) / 60_000;
    expect(Array.from({ length: 8 }, minutes)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    look.reset();
    expect([minutes(), minutes()]).toEqual([1, 2]);
    expect([look.next(call('b')), look.next(call('b'))]).toEqual([60_000, 120_000]);
  });

  it('may be longer than an hour from the beginning', () => {
    const look = new LookPause(7_200_000);
    expect([look.next(call('a')), look.next(call('a'))]).toEqual([7_200_000, 7_200_000]);
  });
});

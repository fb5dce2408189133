// The parts of the workflows that need no Temporal: which answers count, how large a conversation may be, and when an attempt looks.
import { describe, expect, it } from 'vitest';
import { LookPause } from '../../src/temporal/workflow/look-pause.js';
import { countBytes, dropOldEnds } from '../../src/temporal/workflow/message-limits.js';
import { TurnInWorkflow } from '../../src/temporal/workflow/open-turn.js';
import { mergeRetry } from '../../src/temporal/workflow/retry-policy.js';
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
  it('is at most 2 MB, for which the oldest outcomes go, and then the oldest ids', () => {
    const carried = (kilobytes: number) => ({
      inbox: [{ id: '9', content: 'a'.repeat(kilobytes * 1000) }],
      ended: ['1', '2', '3'].map((id) => ({ id, text: 'a'.repeat(300_000) })),
    });
    expect(dropOldEnds(carried(1000))).toEqual(carried(1000));
    const { inbox, ended } = dropOldEnds(carried(1200));
    expect(inbox).toEqual(carried(1200).inbox);
    expect(ended).toEqual([{ id: '1' }, ...carried(1200).ended.slice(1)]);
    expect(dropOldEnds(carried(1900)).ended).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
    expect(dropOldEnds(carried(2100)).ended).toEqual([]);
  });

  it('is counted in bytes', () => {
    expect(countBytes('ää')).toBe(6);
  });
});

describe('the answers of a turn', () => {
  const answer = (id: string, bytes: number) => ({
    id,
    result: { behavior: 'deny' as const, message: 'a'.repeat(bytes) },
  });

  it('may have 400,000 bytes together, because every attempt gets all of them', () => {
    const open = new TurnInWorkflow();
    open.answer(answer('q1', 300_000));
    expect(open.hasRoomFor(answer('q2', 90_000))).toBe(true);
    expect(open.hasRoomFor(answer('q2', 110_000))).toBe(false);
    // One that is there already changes nothing.
    expect(open.hasRoomFor(answer('q1', 300_000))).toBe(true);
  });
});

describe('the retry policy', () => {
  it.each([
    [undefined, { initialInterval: '1 second', maximumInterval: '1 minute' }],
    [
      { maximumAttempts: 5 },
      { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 5 },
    ],
    [{ initialInterval: undefined }, { initialInterval: '1 second', maximumInterval: '1 minute' }],
    [{ initialInterval: '5 seconds' }, { initialInterval: '5 seconds', maximumInterval: '1 minute' }],
    // Temporal refuses a longest pause that is shorter than the first.
    [{ initialInterval: '2 hours' }, { initialInterval: '2 hours', maximumInterval: '2 hours' }],
    [{ initialInterval: 90_000 }, { initialInterval: 90_000, maximumInterval: 90_000 }],
    [
      { initialInterval: '1 minute', maximumInterval: '2 days' },
      { initialInterval: '1 minute', maximumInterval: '2 days' },
    ],
  ])('of %j is merged with the default', (own, merged) => {
    expect(mergeRetry(own as Parameters<typeof mergeRetry>[0])).toEqual(merged);
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

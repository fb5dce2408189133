// The parts of the workflows that need no Temporal: which answers count, how large a conversation may be, and when an attempt looks.
import { describe, expect, it } from 'vitest';
import { changeSettings, findSettingsFault } from '../../src/temporal/workflow/conversation-settings.js';
import { readTurnFailure } from '../../src/temporal/workflow/turn-failure.js';
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

describe('the failure of a turn', () => {
  class ActivityFailure extends Error {
    readonly activityType = 'inboardAttempt';
  }
  const failed = (cause: Error) => new ActivityFailure('Activity task failed', { cause });
  const typed = (message: string, type: string, cause?: Error) =>
    Object.assign(new Error(message, { cause }), { type });

  it('is told as what the attempt has thrown, and not as what caused that', () => {
    const unusable = typed(
      'no agent "suport"',
      'InboardAgentUnusable',
      typed('no agent', 'InvalidOptionsError'),
    );
    const described = { error: 'no agent "suport"', type: 'InboardAgentUnusable' };
    expect(readTurnFailure(failed(unusable))).toEqual(described);
    expect(readTurnFailure(unusable)).toEqual(described);
  });

  it('says why the attempts failed, when their time was over', () => {
    const timeout = (cause?: Error) =>
      failed(Object.assign(new Error('the time is over', { cause }), { timeoutType: 'SCHEDULE_TO_CLOSE' }));
    expect(readTurnFailure(timeout())).toEqual({ error: 'the time is over' });
    expect(readTurnFailure(timeout(typed('no such model', 'CliFailed')))).toEqual({
      error: 'the time is over. The attempt before failed: no such model',
      type: 'CliFailed',
    });
  });

  it('is cut, and may be no error', () => {
    expect(readTurnFailure(typed('a'.repeat(5000), 'CliFailed')).error).toHaveLength(2000);
    expect(readTurnFailure('no')).toEqual({ error: 'no' });
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

describe('the same answer', () => {
  const answer = { id: 'q', result: { behavior: 'allow' as const }, by: 'ann' };

  it('counts again, and another one does not', () => {
    const open = new TurnInWorkflow();
    expect([open.answer(answer), open.answer({ ...answer }), open.answer({ ...answer, by: 'bob' })]).toEqual([
      true,
      true,
      false,
    ]);
    expect(open.answers).toEqual([answer]);
  });
});

describe('settings', () => {
  it.each([
    [{}],
    [{ attempts: null, turnsPerRun: null, closeAfterMs: 0 }],
    [
      {
        attempts: {
          heartbeatTimeout: '10 seconds',
          retry: { maximumAttempts: 3 },
          priority: { priorityKey: 1 },
        },
      },
    ],
  ])('may be %j', (settings) => {
    expect(findSettingsFault(settings)).toBeUndefined();
  });

  it.each([
    [null, 'Settings must be an object'],
    [{ turnsPerRun: 0 }, '"turnsPerRun" must be a whole number, 1 or more'],
    [{ closeAfterMs: '1 day' }, '"closeAfterMs" must be a whole number of milliseconds'],
    [{ closeAfter: 1 }, 'There is no setting "closeAfter"'],
    [{ attempts: { heartbeatTimeout: 'soon' } }, '"attempts.heartbeatTimeout" must be milliseconds above 0'],
    [{ attempts: { startToCloseTimeout: 0 } }, '"attempts.startToCloseTimeout" must be'],
    [{ attempts: { retry: { maximumAttempts: 0 } } }, '"attempts.retry.maximumAttempts" must be'],
    [{ attempts: { retry: { maximumInterval: 10 } } }, 'must not be shorter than "initialInterval"'],
    [{ attempts: { priority: { priorityKey: 1.5 } } }, '"attempts.priority.priorityKey" must be'],
    [{ attempts: { retry: 3 } }, '"attempts.retry" must be an object'],
  ])('may not be %j', (settings, message) => {
    expect(findSettingsFault(settings)?.message).toContain(message);
  });

  it('stay unless they are given, and null takes the default again', () => {
    const settings = { turnsPerRun: 5, closeAfterMs: 1000 };
    expect(changeSettings(settings, { closeAfterMs: null, attempts: { lookAfterMs: 5 } })).toEqual({
      turnsPerRun: 5,
      attempts: { lookAfterMs: 5 },
    });
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
    const look = new LookPause();
    expect([look.next(call('a'), 7_200_000), look.next(call('a'), 7_200_000)]).toEqual([
      7_200_000, 7_200_000,
    ]);
  });
});

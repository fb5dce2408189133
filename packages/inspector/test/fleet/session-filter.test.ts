import { describe, expect, it } from 'vitest';
import {
  filterSessions,
  groupOf,
  lastActivity,
  NO_SESSION_FILTER,
  holdOrder,
  sortSessions,
} from '../../src/model/fleet/session-filter.js';
import { findWords, splitWords } from '../../src/model/fleet/session-search.js';
import { countTokens, sumSessions } from '../../src/model/fleet/fleet-totals.js';
import { makeSummary } from './make-summary.js';

const ids = (sessions: readonly { id: string }[]): string[] => sessions.map(({ id }) => id);

const fleet = [
  makeSummary('a', { state: 'working', model: 'opus', title: 'Count apples', costUsd: 0.1, errors: 2 }),
  makeSummary('b', { state: 'idle', waiting: 1, model: 'sonnet', title: 'Send a letter', costUsd: 0.4 }),
  makeSummary('c', { state: 'ended', model: 'sonnet', title: 'Mow the lawn', answer: 'The lawn is short.' }),
  makeSummary('d', {
    state: 'cut',
    title: 'Count pears',
    prompt: 'How many pears?',
    cwd: '/home/you/Orchard',
  }),
];

describe('filterSessions', () => {
  it('lets everything through until it is told otherwise', () => {
    expect(ids(filterSessions(fleet, NO_SESSION_FILTER))).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    [{ groups: ['waiting'] as const }, ['b']],
    [{ groups: ['running', 'failed'] as const }, ['a', 'd']],
    [{ groups: ['ended'] as const }, ['c']],
    [{ model: 'sonnet' }, ['b', 'c']],
    [{ onlyErrors: true }, ['a']],
    [{ text: 'COUNT' }, ['a', 'd']],
    [{ text: ' count  pears ' }, ['d']],
    [{ text: 'orchard' }, ['d']],
    [{ text: 'lawn short.' }, ['c']],
    [{ text: 'count letter' }, []],
    [{ text: 'count', groups: ['failed'] as const }, ['d']],
  ])('with %j', (filter, expected) => {
    expect(ids(filterSessions(fleet, { ...NO_SESSION_FILTER, ...filter }))).toEqual(expected);
  });

  it('finds tools of sessions whose events were read', () => {
    const toolsOf = (id: string): string[] => (id === 'c' ? ['mcp__garden__mow'] : []);
    expect(ids(filterSessions(fleet, { ...NO_SESSION_FILTER, text: 'garden' }, toolsOf))).toEqual(['c']);
  });

  it('puts a session that waits into the group of those, whatever else it does', () => {
    expect(groupOf({ state: 'working', waiting: 2 })).toBe('waiting');
    expect(groupOf({ state: 'starting', waiting: 0 })).toBe('running');
    expect(groupOf({ state: 'idle', waiting: 0 })).toBe('running');
  });

  it('has those of a cluster that wait for a worker, or for nothing, in groups of their own', () => {
    const conversation = { agent: 'support', tenant: undefined, owner: undefined, queued: 0 };
    expect(groupOf({ state: 'queued', waiting: 0, conversation })).toBe('queued');
    expect(groupOf({ state: 'idle', waiting: 0, conversation })).toBe('idle');
    expect(groupOf({ state: 'idle', waiting: 1, conversation })).toBe('waiting');
  });
});

describe('sortSessions', () => {
  const started = (id: string, minute: number, durationMs: number) =>
    makeSummary(id, { startedAt: `2026-11-16T09:0${minute}:00.000Z`, durationMs });
  const sessions = [started('a', 1, 300_000), started('b', 3, 1000), started('c', 3, 2000)];

  it('shows the latest first, and keeps the order of those that are equal', () => {
    expect(ids(sortSessions(sessions, 'started'))).toEqual(['b', 'c', 'a']);
    expect(ids(sortSessions(sessions, 'errors'))).toEqual(['a', 'b', 'c']);
  });

  it('can keep an order that was shown: what is gone leaves no gap, what is new comes last', () => {
    expect(ids(holdOrder(sortSessions(sessions, 'started'), ['c', 'gone', 'a']))).toEqual(['c', 'a', 'b']);
  });

  it('can go by what happened last, by cost, by length and by name', () => {
    expect(ids(sortSessions(sessions, 'activity'))).toEqual(['a', 'c', 'b']);
    expect(ids(sortSessions(fleet, 'cost'))).toEqual(['b', 'a', 'c', 'd']);
    expect(ids(sortSessions(sessions, 'duration'))).toEqual(['a', 'c', 'b']);
    expect(ids(sortSessions(fleet, 'title'))).toEqual(['a', 'd', 'c', 'b']);
  });

  it('does without a start', () => {
    expect(lastActivity(makeSummary('x', { startedAt: '', durationMs: 5 }))).toBe(0);
  });
});

describe('the order of attention', () => {
  it('has first who waits for a person, then what failed, works, waits its turn, rests and is over', () => {
    const startedAt = '2026-11-16T09:00:00.000Z';
    const all = [
      makeSummary('ended', { state: 'ended', startedAt }),
      makeSummary('queued', { state: 'queued', startedAt }),
      makeSummary('cut', { state: 'cut', startedAt }),
      makeSummary('result', { state: 'waiting', waiting: 1, waitsFor: ['pending'], startedAt }),
      makeSummary('older', { state: 'working', waiting: 1, waitsFor: ['person'], startedAt: '' }),
      makeSummary('working', { state: 'working', startedAt }),
      makeSummary('waiting', { state: 'waiting', startedAt }),
      makeSummary('ended later', { state: 'ended', startedAt: '2026-11-16T10:00:00.000Z' }),
      makeSummary('failed', { state: 'failed', startedAt }),
    ];
    expect(sortSessions(all, 'attention').map(({ id }) => id)).toEqual([
      'waiting',
      'older',
      'cut',
      'failed',
      'result',
      'working',
      'queued',
      'ended later',
      'ended',
    ]);
  });
});

describe('findWords', () => {
  it('tells where the first word stands, with what is around it', () => {
    const session = makeSummary('x', {
      title: 'A',
      answer: `${'before '.repeat(20)}needle${' after'.repeat(20)}`,
    });
    const found = findWords(session, splitWords('needle'), []);
    expect(found?.field).toBe('answer');
    expect(found?.excerpt).toMatch(/^….{1,40}needle.{1,40}…$/);
  });

  it('looks for ids only where enough of one is given', () => {
    const session = makeSummary('x', { sessionId: '11111111-2222-4333-8444-555555555555' });
    expect(findWords(session, ['3'], [])).toBeUndefined();
    expect(findWords(session, ['4333-8'], [])?.field).toBe('id');
  });

  it('takes every word once', () => {
    expect(splitWords(' One two ONE ')).toEqual(['one', 'two']);
  });
});

describe('sumSessions', () => {
  it('adds up what is shown, and says nothing of a cost that nobody told', () => {
    expect(sumSessions(fleet)).toMatchObject({ sessions: 4, waiting: 1, errors: 2, costUsd: 0.5 });
    expect(sumSessions(fleet.slice(2)).costUsd).toBeUndefined();
    const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const shares = { model: 10, permission: 0, code: 5, cliTools: 0, overhead: 1, idle: 0 };
    const sum = sumSessions([makeSummary('a', { tokens, shares }), makeSummary('b', { tokens, shares })]);
    expect(sum.tokens).toEqual({ input: 2, output: 4, cacheRead: 6, cacheWrite: 8 });
    expect(sum.shares).toMatchObject({ model: 20, code: 10, overhead: 2 });
    expect(countTokens(sum.tokens)).toBe(20);
  });
});

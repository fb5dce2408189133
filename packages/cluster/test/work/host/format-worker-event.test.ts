import { describe, expect, it } from 'vitest';
import { ClusterError } from '@inboard/core/errors.js';
import { formatWorkerEvent } from '../../../src/work/host/format-worker-event.js';

const at = Date.UTC(2026, 10, 18, 9, 30);
const worker = 'host-1-4711';

describe('a line for a log', () => {
  it('begins with time, worker and what happened, and names what belongs to it', () => {
    expect(formatWorkerEvent({ at, worker, type: 'lost', key: 'ann/1', epoch: 3, why: 'unreachable' })).toBe(
      '2026-11-18T09:30:00.000Z host-1-4711 lost key=ann/1 epoch=3 why=unreachable',
    );
    expect(formatWorkerEvent({ at, worker, type: 'draining' })).toBe(
      '2026-11-18T09:30:00.000Z host-1-4711 draining',
    );
    expect(
      formatWorkerEvent({ at, worker, type: 'leased', key: 'a', epoch: 1, takenOverAfterMs: undefined }),
    ).toMatch(/leased key=a epoch=1$/);
  });

  it('tells how a turn ended and what it cost, but not its answer', () => {
    const outcome = {
      ok: false,
      kind: 'refused',
      text: 'private',
      error: { code: 'BUDGET_EXCEEDED', message: 'The budget is used up.' },
      turnCostUsd: 0.25,
    };
    const line = formatWorkerEvent({ at, worker, type: 'turn-ended', key: 'a', turn: 't', outcome });
    expect(line).toMatch(
      /turn-ended key=a turn=t kind=refused turnCostUsd=0.25 code=BUDGET_EXCEEDED error="The budget is used up."$/,
    );
    expect(line).not.toContain('private');
  });

  it('tells an error by its code and message, whatever was thrown', () => {
    const trouble = (error: unknown) =>
      formatWorkerEvent({ at, worker, type: 'trouble', where: 'journal', error }).split(' trouble ')[1];
    expect(trouble(new ClusterError('JOURNAL_UNAVAILABLE', 'It is away.', {}))).toBe(
      'where=journal code=JOURNAL_UNAVAILABLE error="It is away."',
    );
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(trouble(new ClusterError('JOURNAL_UNAVAILABLE', 'It is away.', { cause: refused }))).toBe(
      'where=journal code=JOURNAL_UNAVAILABLE error="It is away." cause=ECONNREFUSED',
    );
    const ended = new Error('x', {
      cause: Object.assign(new Error('the server ended it'), { code: '57P01' }),
    });
    expect(trouble(new Error('a', { cause: ended }))).toBe(
      'where=journal error=a cause="57P01 the server ended it"',
    );
    const unreadable = Object.defineProperty(new Error('a'), 'cause', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(trouble(unreadable)).toBe('where=journal error=a');
    expect(trouble('a word')).toBe('where=journal error="a word"');
    expect(trouble(undefined)).toBe('where=journal');
    expect(trouble(Object.create(null))).toBe('where=journal error="something unprintable"');
  });

  it('tells nothing of what a call was given or gave back', () => {
    const call = { key: 'a', turn: 't', toolName: 'mcp__shop__pay', callKey: 'call_1' };
    const lines = [
      formatWorkerEvent({ at, worker, type: 'call-repeated', ...call, answer: 'recorded' }),
      formatWorkerEvent({ at, worker, type: 'call-completed', ...call, how: 'recorded', delivered: true }),
    ];
    expect(lines.map((line) => line.replace(/^\S+ \S+ /, ''))).toEqual([
      'call-repeated key=a turn=t toolName=mcp__shop__pay callKey=call_1 answer=recorded',
      'call-completed key=a turn=t toolName=mcp__shop__pay callKey=call_1 how=recorded delivered=true',
    ]);
  });

  it.each([
    '\n',
    '\r',
    '\r\n',
    '\t',
    '\0',
    '\u001b[31m',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u200b',
    '\ud800',
    ' lost key=b',
    '"',
  ])('lets no key, name, turn or error with %j add a line or a field', (bad) => {
    const text = `a${bad}b`;
    const lines = [
      formatWorkerEvent({ at, worker: text, type: 'lost', key: text, epoch: 1, why: 'late' }),
      formatWorkerEvent({ at, worker, type: 'turn-handed-over', key: 'k', turn: text }),
      formatWorkerEvent({ at, worker, type: 'trouble', where: 'agent', error: new Error(text) }),
      formatWorkerEvent({
        at,
        worker,
        type: 'trouble',
        where: 'agent',
        error: Object.assign(new Error('x'), { code: text }),
      }),
      formatWorkerEvent({ at, worker, type: 'paused', tenant: text, ms: 1, reason: text }),
    ];
    for (const line of lines) {
      // oxlint-disable-next-line no-control-regex -- they are what is looked for
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u2028\u2029\ud800]/u);
      const outside = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
      expect(outside).not.toMatch(/"| lost key=b/);
    }
  });

  it('stays one line, safe for a terminal and of bounded length', () => {
    const key = `a\n2026 worker lost\u001b[2J\u202e"="`;
    const line = formatWorkerEvent({
      at,
      worker: 'two words',
      type: 'turn-handed-over',
      key,
      turn: 'x'.repeat(5000),
    });
    expect(line).toContain(
      String.raw`"two words" turn-handed-over key="a\n2026 worker lost\u001b[2J\u202e\"=\""`,
    );
    for (const bad of ['\n', '\u001b', '\u202e']) expect(line).not.toContain(bad);
    expect(line.length).toBeLessThan(700);
  });
});

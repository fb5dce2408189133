// How taps come on the wire of a live CLI and leave it, and how its questions are watched.
import { describe, expect, it, vi } from 'vitest';
import { describeCli, inspectLive } from '../../src/live/inspect-live.js';
import type { WireTap } from '../../src/live/watch/inspected-session.js';

type Given = Parameters<typeof inspectLive>;

function createTap() {
  const told: unknown[] = [];
  const names = ['begin', 'line', 'fault', 'mark', 'completed', 'end', 'suspended', 'warning', 'over'];
  const tap = Object.fromEntries(
    names.map((name) => [name, (...given: unknown[]) => void told.push([name, ...given])]),
  ) as unknown as WireTap;
  return { tap, told };
}

function open({ isOver = false, pid }: { isOver?: boolean; pid?: number } = {}) {
  const watched: Record<
    string,
    { listener: Record<string, (...given: unknown[]) => void>; end: () => void }
  > = {};
  const source = (name: string) => ({
    watch: (listener: never) => {
      const end = vi.fn();
      watched[name] = { listener, end };
      return end;
    },
    settle: (...given: unknown[]) => [name, ...given],
    attemptOf: () => 3,
  });
  const warnings: { listener?: (warning: object, isFault: boolean) => void } = {};
  const connection: { transport: object | undefined; tap: WireTap | undefined } = {
    transport: pid === undefined ? undefined : { pid },
    tap: undefined,
  };
  const state = { version: { known: undefined }, connection, end: { isOver }, prompt: {}, progress: {} };
  const parts = {
    options: { cwd: '/srv' },
    warnings,
    permissions: source('permission'),
    dialogs: source('dialog'),
  };
  const session = inspectLive({} as Given[0], state as unknown as Given[1], parts as unknown as Given[2]);
  return { session, connection, warnings, watched };
}

describe('a tap', () => {
  it('gets what the wire carries, beside others, until it is taken off', () => {
    const { session, connection, warnings } = open({ pid: 7 });
    const [one, other] = [createTap(), createTap()];
    const removeOne = session.tap(one.tap);
    const removeOther = session.tap(other.tap);
    const begun = ['begin', { claudeCodeVersion: null, pid: 7, cwd: '/srv', isLate: true }];
    connection.tap?.line('in', 'a');
    connection.tap?.mark('input-end');
    removeOne();
    connection.tap?.line('out', 'b');
    warnings.listener?.({ code: 'W', message: 'w' }, false);
    warnings.listener?.({ code: 'F', message: 'f' }, true);
    expect(one.told).toEqual([begun, ['line', 'in', 'a'], ['mark', 'input-end']]);
    expect(other.told.slice(3)).toEqual([
      ['line', 'out', 'b'],
      ['warning', 'W', 'w'],
      ['fault', 'F', 'f'],
    ]);
    removeOther();
    expect([connection.tap, warnings.listener]).toEqual([undefined, undefined]);
  });

  it('leaves the wire as it is where another has taken its place, and is told of no CLI that is not there', () => {
    const { session, connection } = open();
    const { tap, told } = createTap();
    const remove = session.tap(tap);
    const another = createTap().tap;
    connection.tap = another;
    remove();
    expect([connection.tap, told]).toEqual([another, []]);
  });

  it('hears only that the session is over where it is', () => {
    const { session, connection } = open({ isOver: true, pid: 7 });
    const { tap, told } = createTap();
    session.tap(tap)();
    expect([told, connection.tap]).toEqual([[['over', undefined]], undefined]);
  });
});

describe('the questions of a CLI', () => {
  it('are those to permit a call and the dialogs, and each can be answered where it was asked', () => {
    const { session, watched } = open();
    const listener = { asked: vi.fn(), settled: vi.fn() };
    const stop = session.watchQuestions(listener);
    const { permission, dialog } = watched;
    permission?.listener['asked']?.('p', { asked: { tool: 1 }, askedAt: 5 });
    dialog?.listener['asked']?.('d', { kind: 'elicitation', asked: { form: 1 }, askedAt: 6 });
    permission?.listener['settled']?.('p', 'answered');
    dialog?.listener['settled']?.('d', 'withdrawn');
    const asked = listener.asked.mock.calls.map(([question]) => question as Record<string, unknown>);
    expect(asked).toMatchObject([
      { id: 'p', kind: 'permission', request: { tool: 1 }, askedAt: 5, attempt: 3 },
      { id: 'd', kind: 'elicitation', request: { form: 1 }, askedAt: 6, attempt: 1 },
    ]);
    const answers = asked.map((question) =>
      (question['settle'] as (answer: unknown, by: string) => unknown)('yes', 'ann'),
    );
    expect(answers).toEqual([
      ['permission', 'p', 'yes', 'ann'],
      ['dialog', 'd', 'yes', 'ann'],
    ]);
    expect(listener.settled.mock.calls).toEqual([
      ['p', 'answered'],
      ['d', 'withdrawn'],
    ]);
    stop();
    expect(permission?.end).toHaveBeenCalledOnce();
    expect(dialog?.end).toHaveBeenCalledOnce();
  });
});

describe('what is told of a CLI', () => {
  const describeIt = (known: string | undefined, transport: object | undefined) =>
    describeCli({ version: { known }, connection: { transport: undefined } } as never, {
      cwd: '/srv',
      ...(transport && { transport: transport as never }),
    }).claudeCodeVersion;

  it('is its version as it said it, else as its transport knows it, else none', () => {
    expect(describeIt('2.1.0', { claudeCodeVersion: '2.0.0' })).toBe('2.1.0');
    expect(describeIt(undefined, { claudeCodeVersion: '2.0.0' })).toBe('2.0.0');
    expect(describeIt(undefined, undefined)).toBeNull();
  });
});

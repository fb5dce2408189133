// Every moment of a session is counted once, for the one thing that was waited for.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShareClock, type TimeShares } from '../../../src/record/trace/timeline/time-shares.js';
import type { ShareName, TimedEvent } from '../../../src/record/trace/timeline/activity.js';
import { renderTimelineText } from '../../../src/record/trace/render/render-text.js';
import { buildTimeline } from '../../../src/record/trace/timeline/timeline.js';
import type { WireObject } from '../../../src/wire/protocol/codec.js';
import type { TraceStep } from '../../../src/record/trace/trace-event.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { makeTrace } from './support/make-trace.js';

const NOTHING: TimeShares = { model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 };

const inward = (frame: WireObject): Omit<Extract<TraceStep, { type: 'frame' }>, 't'> => ({
  type: 'frame',
  dir: 'in',
  frame,
});
const outward = (frame: WireObject): Omit<Extract<TraceStep, { type: 'frame' }>, 't'> => ({
  type: 'frame',
  dir: 'out',
  frame,
});
const prompt = outward({ type: 'user', message: { role: 'user', content: 'Go' }, parent_tool_use_id: null });
const init = inward({ type: 'system', subtype: 'init' });
const result = inward({ type: 'result', subtype: 'success' });
const state = (name: string) => inward({ type: 'system', subtype: 'session_state_changed', state: name });
const call = (id: string, name = 'Bash', parent: string | null = null) =>
  inward({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: { content: [{ type: 'tool_use', id, name, input: {} }] },
  });
const done = (id: string, parent: string | null = null) =>
  inward({
    type: 'user',
    parent_tool_use_id: parent,
    message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
  });
const ask = (id: string, request: WireObject) => inward({ type: 'control_request', request_id: id, request });
const permission = (id: string, toolUseId: string) =>
  ask(id, { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: toolUseId });
const run = (id: string, server: string, toolUseId: string) =>
  ask(id, {
    subtype: 'mcp_message',
    server_name: server,
    message: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'count', _meta: { 'claudecode/toolUseId': toolUseId } },
    },
  });
const hook = (id: string) =>
  ask(id, { subtype: 'hook_callback', input: { hook_event_name: 'PreToolUse' }, callback_id: 'hook_0' });
const answer = (id: string, dir: 'in' | 'out' = 'out') => ({
  type: 'frame' as const,
  dir,
  frame: { type: 'control_response', response: { subtype: 'success', request_id: id, response: {} } },
});
const stream = (event: WireObject) => inward({ type: 'stream_event', parent_tool_use_id: null, event });

type Untimed<E> = E extends unknown ? Omit<E, 't'> : never;

/** What a session that is given as pairs of time and event counts for, stretch by stretch. */
function follow(...steps: [number, Untimed<TimedEvent>][]): {
  shares: TimeShares;
  stretches: [ShareName, number][];
} {
  const stretches: [ShareName, number][] = [];
  const clock = new ShareClock({
    stretch: (share, start, end) => {
      const last = stretches.at(-1);
      if (last?.[0] === share) last[1] += end - start;
      else stretches.push([share, end - start]);
    },
  });
  for (const [t, event] of steps) clock.push({ ...event, t } as TimedEvent);
  return { shares: clock.read(), stretches };
}

describe('each moment counts for', () => {
  it('a person where one is asked, and not for the tool that waits for it', () => {
    const { shares } = follow(
      [100, prompt],
      [150, init],
      [1150, call('a')],
      [1200, permission('p', 'a')],
      [19_400, answer('p')],
      [19_750, done('a')],
      [20_750, inward({ type: 'assistant', message: { content: [{ type: 'text', text: 'Done' }] } })],
      [20_800, result],
    );
    expect(shares).toEqual({ ...NOTHING, overhead: 150, model: 2050, permission: 18_200, cliTools: 400 });
  });

  it('a person while a tool of the program is held for one', () => {
    const question = { id: 'q', kind: 'held', subject: 'pay', toolUseId: 'a' };
    const { stretches } = follow(
      [0, prompt],
      [0, init],
      [10, call('a', 'mcp__shop__count')],
      [20, run('m', 'shop', 'a')],
      [30, { type: 'asked', question }],
      [5030, { type: 'settled', id: 'q' }],
      [5040, answer('m')],
      [5050, done('a')],
    );
    expect(stretches).toEqual([
      ['model', 10],
      ['cliTools', 10],
      ['code', 10],
      ['permission', 5000],
      ['code', 10],
      ['overhead', 10],
    ]);
  });

  it('the way to a tool of the program as overhead, once it is known whose tool it is', () => {
    const initialize = {
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', sdkMcpServers: ['my shop'] },
    };
    const { shares } = follow(
      [5, outward(initialize)],
      [60, answer('i', 'in')],
      [100, prompt],
      [110, init],
      [210, call('a', 'mcp__my_shop__count')],
      [215, run('m', 'my shop', 'a')],
      [235, answer('m')],
      [240, done('a')],
    );
    // Until the initialize reply it starts, then nothing was asked for until the prompt.
    expect(shares).toEqual({ ...NOTHING, overhead: 60 + 10 + 5 + 5, idle: 40, model: 100, code: 20 });
  });

  it('code while the model still writes, and the model while only its calls are begun', () => {
    const { stretches } = follow(
      [0, prompt],
      [0, init],
      [50, stream({ type: 'message_start', message: {} })],
      [60, call('a')],
      [90, hook('h')],
      [120, answer('h')],
      [150, stream({ type: 'message_stop' })],
      [180, done('a')],
    );
    expect(stretches).toEqual([
      ['model', 90],
      ['hooks', 30],
      ['model', 30],
      ['cliTools', 30],
    ]);
  });

  it('what a subagent does, not for the call that made it', () => {
    const { stretches } = follow(
      [0, prompt],
      [0, init],
      [10, call('a', 'Agent')],
      [
        20,
        inward({
          type: 'user',
          parent_tool_use_id: 'a',
          message: { content: [{ type: 'text', text: 'x' }] },
        }),
      ],
      [50, call('b', 'Bash', 'a')],
      [90, done('b', 'a')],
      [120, done('a')],
      [150, result],
    );
    expect(stretches).toEqual([
      ['model', 50],
      ['cliTools', 40],
      ['model', 60],
    ]);
  });

  it('a subagent in the background after the turn, until it tells its end', () => {
    const started = { type: 'system', subtype: 'task_started', tool_use_id: 'a', subagent_type: 'helper' };
    const { stretches } = follow(
      [0, prompt],
      [0, init],
      [10, call('a', 'Agent')],
      [20, inward(started)],
      [30, done('a')],
      [40, result],
      [90, inward({ type: 'system', subtype: 'task_notification', tool_use_id: 'a' })],
      [100, { type: 'input-end' }],
    );
    expect(stretches).toEqual([
      ['model', 90],
      ['idle', 10],
    ]);
  });

  it('nothing when the program has not asked for anything, also while its CLI lives', () => {
    const { stretches } = follow(
      [0, prompt],
      [10, init],
      [50, result],
      [3_600_050, prompt],
      [3_600_060, init],
      [3_600_100, result],
      [3_600_200, { type: 'terminate' }],
      [3_600_250, { type: 'end', exitCode: 0, signal: null, stderrTail: '', frames: 4 }],
      [3_700_000, { type: 'over' }],
    );
    expect(stretches).toEqual([
      ['overhead', 10],
      ['model', 40],
      ['idle', 3_600_000],
      ['overhead', 10],
      ['model', 40],
      ['idle', 100],
      ['overhead', 50],
      ['idle', 99_750],
    ]);
  });

  it('the CLI until it says that it is idle, where it says so', () => {
    const { stretches } = follow(
      [0, prompt],
      [0, state('running')],
      [0, init],
      [40, result],
      [60, state('idle')],
      [70, prompt],
    );
    expect(stretches).toEqual([
      ['model', 40],
      ['overhead', 20],
      ['idle', 10],
    ]);
  });

  it('nobody after a question was withdrawn or a turn was cut short', () => {
    const { stretches } = follow(
      [0, prompt],
      [0, init],
      [10, call('a')],
      [20, permission('p', 'a')],
      [50, inward({ type: 'control_cancel_request', request_id: 'p' })],
      [60, result],
      [90, prompt],
    );
    expect(stretches).toEqual([
      ['model', 10],
      ['cliTools', 10],
      ['permission', 30],
      ['cliTools', 10],
      ['idle', 30],
    ]);
  });

  it('a start where a second CLI takes over, from when that one was started', () => {
    const header = (startedAt: string) =>
      ({ type: 'header', startedAt }) as Extract<TimedEvent, { type: 'header' }>;
    const stretches: [ShareName, number][] = [];
    const clock = new ShareClock({
      stretch: (share, start, end) => stretches.push([share, end - start]),
    });
    clock.push({ type: 'opened', t: 0, startedAt: '2026-01-01T00:00:00.000Z' });
    clock.push(header('2026-01-01T00:00:00.000Z'));
    clock.push({ type: 'end', t: 10, exitCode: 1, signal: null, stderrTail: '', frames: 0 });
    clock.push(header('2026-01-01T00:01:00.000Z'));
    clock.push({ ...init, t: 60_100 });
    expect(stretches).toEqual([
      ['overhead', 10],
      ['idle', 59_990],
      ['overhead', 100],
    ]);
  });

  it('the present too, while nothing is heard', () => {
    const clock = new ShareClock();
    clock.push({ ...prompt, t: 0 });
    clock.push({ ...init, t: 10 });
    expect(clock.read(1010)).toEqual({ ...NOTHING, overhead: 10, model: 1000 });
    // A look ahead changes nothing.
    expect(clock.read()).toEqual({ ...NOTHING, overhead: 10 });
    expect(clock.current).toBe('model');
  });
});

describe('the shares of any session', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const parent = fc.constantFrom(null, 'a', 'b');
  const event: fc.Arbitrary<Untimed<TimedEvent>> = fc.oneof(
    fc.constantFrom(prompt, init, result, state('running'), state('idle'), state('requires_action')),
    fc.constantFrom(
      stream({ type: 'message_start', message: {} }),
      stream({ type: 'content_block_start', content_block: { type: 'thinking' } }),
      stream({ type: 'content_block_delta' }),
      stream({ type: 'message_stop' }),
    ),
    fc
      .tuple(id, fc.constantFrom('Bash', 'Agent', 'mcp__shop__count'), parent)
      .map(([i, n, p]) => call(i, n, p)),
    fc.tuple(id, parent).map(([i, p]) => done(i, p)),
    fc.tuple(id, id).map(([i, toolUseId]) => permission(i, toolUseId)),
    fc.tuple(id, id).map(([i, toolUseId]) => run(i, 'shop', toolUseId)),
    id.map(hook),
    fc.tuple(id, fc.constantFrom('in' as const, 'out' as const)).map(([i, dir]) => answer(i, dir)),
    id.map((i) => inward({ type: 'control_cancel_request', request_id: i })),
    id.map((i) => ({ type: 'asked' as const, question: { id: i, kind: 'held', subject: 'x' } })),
    id.map((i) => ({ type: 'settled' as const, id: i })),
    fc.constantFrom<Untimed<TimedEvent>>(
      { type: 'pieces', parent: null, kind: 'text' },
      { type: 'input-end' },
      { type: 'terminate' },
      { type: 'end', exitCode: 0, signal: null, stderrTail: '', frames: 0 },
      { type: 'over' },
    ),
    fc
      .tuple(
        fc.constantFrom('task_started', 'task_notification', 'api_retry', 'compact_boundary', 'status'),
        id,
      )
      .map(([subtype, i]) => inward({ type: 'system', subtype, tool_use_id: i, subagent_type: 'x' })),
  );
  const pause = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 50, noNaN: true }));

  it('add up to its duration, and none is below nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(pause, event), { maxLength: 60 }), (steps) => {
        const clock = new ShareClock();
        let t = 0;
        for (const [after, step] of steps) {
          t += after;
          clock.push({ ...step, t } as TimedEvent);
        }
        const shares = Object.values(clock.read());
        // In microseconds, which is as fine as it is counted.
        const sum = shares.reduce((total, share) => total + Math.round(share * 1000), 0);
        expect(sum).toBe(Math.round(t * 1000));
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
      }),
      propertyOptions(300),
    );
  });

  it('leave nothing under way after the end', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (steps) => {
        const open = new Set<unknown>();
        const clock = new ShareClock({ begin: (one) => open.add(one), end: (one) => open.delete(one) });
        for (const step of steps) clock.push({ ...step, t: 1 } as TimedEvent);
        clock.push({ type: 'over', t: 1 });
        expect(clock.current).toBe('idle');
        expect(open.size).toBe(0);
      }),
      propertyOptions(100),
    );
  });

  it('are the line that a trace ends with in a terminal', () => {
    const text = renderTimelineText(buildTimeline(makeTrace({ calls: 2, failing: 2 })), { width: 140 });
    expect(text).toContain(
      'total 418 ms · 1 error · model 243 ms · waiting for a person 60 ms · your code 40 ms · CLI overhead 74 ms · idle 1.0 ms',
    );
  });
});

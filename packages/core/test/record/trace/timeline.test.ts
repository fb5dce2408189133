import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderWith } from '@inboard/inspector/html/render-html.js';
import { renderTimelineMermaid } from '../../../src/record/trace/render/render-mermaid.js';
import { renderTimelineText } from '../../../src/record/trace/render/render-text.js';
import { formatMs } from '../../../src/record/trace/render/text-cells.js';
import { buildTimeline } from '../../../src/record/trace/timeline/timeline.js';
import type { Trace, TraceStep } from '../../../src/record/trace/trace-event.js';
import { expectTame, hostileText } from '../../../../../test/support/hostile-text.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { makeTrace } from './support/make-trace.js';

/** What stands around the data is tested elsewhere. */
const NO_PAGE = { script: '', style: '' };
const timeline = buildTimeline(makeTrace({ calls: 2, failing: 2 }));

describe('rows', () => {
  it('have time, layer, direction, event and what it was about', () => {
    expect(
      timeline.rows
        .slice(0, 10)
        .map(({ t, layer, direction, event, summary, id }) => [t, layer, direction, event, summary, id]),
    ).toEqual([
      [1, 'control', 'host-to-cli', 'initialize', '', 'init'],
      [51, 'control', 'cli-to-host', 'initialize reply', '0 commands, 0 models', 'init'],
      [52, 'message', 'host-to-cli', 'user', 'How many?', undefined],
      [57, 'message', 'cli-to-host', 'system/init', 'scripted · 0 tools', undefined],
      [
        157,
        'message',
        'cli-to-host',
        'assistant (tool_use)',
        'mcp__shop__count {"article":"apples-1 "}',
        'toolu_1',
      ],
      [158, 'control', 'cli-to-host', 'can_use_tool', 'mcp__shop__count {"article":"apples-1 "}', 'toolu_1'],
      [188, 'control', 'host-to-cli', 'can_use_tool reply', 'allow', 'toolu_1'],
      [189, 'mcp', 'cli-to-host', 'tools/call', 'shop: count {"article":"apples-1 "}', 'toolu_1'],
      [209, 'mcp', 'host-to-cli', 'tools/call answer', '7', 'toolu_1'],
      [211, 'message', 'cli-to-host', 'user (tool_result)', '7', 'toolu_1'],
    ]);
    expect(timeline.rows.at(-1)).toMatchObject({ event: 'end', summary: 'exit code 0', direction: 'none' });
  });

  it('know the question they answer, and what went wrong', () => {
    expect(timeline.rows[8]?.answers).toBe(7);
    expect(timeline.rows.filter(({ isError }) => isError).map(({ event, id }) => [event, id])).toEqual([
      ['tools/call answer', 'toolu_2'],
      ['user (tool_result)', 'toolu_2'],
    ]);
  });

  it('tell apart requests of both sides that have the same id', () => {
    const frame = (dir: 'in' | 'out', body: Record<string, unknown>): TraceStep => ({
      type: 'frame',
      t: 1,
      dir,
      frame: body,
    });
    const request = (subtype: string): Record<string, unknown> => ({
      type: 'control_request',
      request_id: '1',
      request: { subtype },
    });
    const reply = { type: 'control_response', response: { subtype: 'success', request_id: '1' } };
    const { rows } = buildTimeline({
      ...makeTrace({ calls: 0 }),
      steps: [
        frame('out', request('set_model')),
        frame('in', request('can_use_tool')),
        frame('out', reply),
        frame('in', reply),
      ],
    });
    expect(rows.slice(0, 4).map(({ event, answers }) => [event, answers])).toEqual([
      ['set_model', undefined],
      ['can_use_tool', undefined],
      ['can_use_tool reply', 1],
      ['set_model reply', 0],
    ]);
  });

  it('describe anything, also what nobody knows', () => {
    const frames: Record<string, unknown>[] = [
      {},
      { type: 'new_kind', subtype: 'odd' },
      { type: 'assistant', message: 'text' },
      { type: 'user', message: { content: [null, { type: 'image' }] } },
      { type: 'control_request', request_id: 'a' },
      { type: 'control_response', response: {} },
      { type: 'control_response', response: { subtype: 'error', request_id: 'a', error: 'no' } },
      { type: 'control_cancel_request', request_id: 'a' },
      { type: 'keep_alive' },
      { type: 'stream_event', event: { type: 'content_block_delta', delta: { text: 'Hel' } } },
      { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['too many'] },
    ];
    const trace: Trace = {
      ...makeTrace({ calls: 0 }),
      steps: [
        ...frames.map((frame): TraceStep => ({ type: 'frame', t: 1, dir: 'in', frame })),
        { type: 'frame', t: 2, dir: 'in', text: 'garbage' },
        { type: 'frame', t: 2, dir: 'in', truncated: { bytes: 99, head: '{' } },
        { type: 'fault', t: 3, code: 'X', message: 'broke' },
        { type: 'gap', t: 3, reason: 'max-bytes' },
      ],
      end: undefined,
    };
    const odd = buildTimeline(trace);
    expect(odd.rows).toHaveLength(15);
    expect(odd.rows.find(({ event }) => event === 'result/error_max_turns')).toMatchObject({
      isError: true,
      summary: '["too many"]',
    });
    expect(renderTimelineText(odd)).toContain('the recording was cut off');
    expect(renderTimelineMermaid(odd)).toContain('sequenceDiagram');
    expect(renderWith(NO_PAGE, odd)).toContain('<!doctype html>');
  });
});

describe('spans', () => {
  it('measure the model, each tool call, the code that ran it, and the wait for permission', () => {
    expect(
      timeline.spans
        .filter(({ kind }) => kind !== 'request')
        .map(({ kind, name, start, end, toolUseId }) => [kind, name, start, end - start, toolUseId]),
    ).toEqual([
      ['model', 'model', 57, 100, undefined],
      ['tool', 'mcp__shop__count', 157, 54, 'toolu_1'],
      ['permission', 'mcp__shop__count', 158, 30, 'toolu_1'],
      ['handler', 'count', 189, 20, 'toolu_1'],
      ['model', 'model', 211, 100, undefined],
      ['tool', 'mcp__shop__count', 311, 54, 'toolu_2'],
      ['permission', 'mcp__shop__count', 312, 30, 'toolu_2'],
      ['handler', 'count', 343, 20, 'toolu_2'],
      ['model', 'model', 365, 43, undefined],
    ]);
    expect(timeline.totals).toMatchObject({
      duration: 418,
      model: 243,
      tools: 40,
      permissions: 60,
      hooks: 0,
      overhead: 74,
      idle: 1,
      shares: { model: 243, permission: 60, code: 40, cliTools: 0, overhead: 74, idle: 1 },
    });
  });

  it('a call that failed is one error, though its answer and its result both say so', () => {
    expect(timeline.rows.filter(({ isError }) => isError)).toHaveLength(2);
    expect(timeline.totals.errors).toBe(1);
  });

  it('of the model add up to its share, also if a question came while it wrote', () => {
    const frame = (t: number, dir: 'in' | 'out', body: Record<string, unknown>): TraceStep => ({
      type: 'frame',
      t,
      dir,
      frame: body,
    });
    const stream = (t: number, type: string) => frame(t, 'in', { type: 'stream_event', event: { type } });
    const ask = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'toolu_1' };
    const { spans, totals } = buildTimeline({
      ...makeTrace({ calls: 0 }),
      steps: [
        frame(10, 'in', { type: 'system', subtype: 'init' }),
        stream(30, 'message_start'),
        frame(40, 'in', { type: 'control_request', request_id: '1', request: ask }),
        frame(45, 'out', { type: 'control_response', response: { subtype: 'success', request_id: '1' } }),
        stream(50, 'message_stop'),
        frame(70, 'in', { type: 'result', subtype: 'success' }),
      ],
      end: undefined,
    });
    const model = spans.filter(({ kind }) => kind === 'model');
    expect(model.map(({ start, end }) => [start, end])).toEqual([
      [10, 40],
      [45, 50],
    ]);
    expect(totals.model).toBe(35);
  });

  it('that never ended are open until the trace ends', () => {
    const whole = makeTrace({ calls: 1 });
    const { spans } = buildTimeline({ ...whole, steps: whole.steps.slice(0, 8), end: undefined });
    expect(spans.filter(({ isOpen }) => isOpen).map(({ kind }) => kind)).toEqual(['tool', 'handler']);
  });
});

describe('text', () => {
  it('keeps to the width, and keeps the ids', () => {
    for (const width of [40, 80, 120]) {
      const lines = renderTimelineText(timeline, { width })
        .split('\n')
        .filter((line) => !/[█·]{5}/.test(line));
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }
    expect(renderTimelineText(timeline, { width: 90 })).toContain('#toolu_2');
  });

  it('never cuts the line of totals: it is whole without a width, and goes on in the next line with one', () => {
    const totals =
      'total 418 ms · 1 error · model 243 ms · waiting for a person 60 ms · your code 40 ms · CLI overhead 74 ms · idle 1.0 ms';
    expect(renderTimelineText(timeline).split('\n')).toContain(totals);
    const narrow = renderTimelineText(timeline, { width: 80 }).split('\n');
    const at = narrow.findIndex((line) => line.startsWith('total '));
    expect(narrow.slice(at, at + 2)).toEqual([
      'total 418 ms · 1 error · model 243 ms · waiting for a person 60 ms ·',
      '  your code 40 ms · CLI overhead 74 ms · idle 1.0 ms',
    ]);
  });

  it('has colours only on request, and no control characters of the recorded texts', () => {
    const nasty = buildTimeline(
      makeTrace({ calls: 1, text: '\u001b]0;title\u0007\u001b[2J\u202e反転 text' }),
    );
    const plain = renderTimelineText(nasty);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const coloured = renderTimelineText(nasty, { colour: true });
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
    expect(coloured).not.toBe(plain);
  });

  it('leaves rows out on request, and says how many', () => {
    expect(renderTimelineText(timeline, { maxRows: 3, rowsOnly: true }).split('\n')).toHaveLength(6);
    expect(renderTimelineText(timeline, { maxRows: 3 })).toContain(`… and ${timeline.rows.length - 3} more`);
  });

  it.each([
    [0.04, '0.0 ms'],
    [9.96, '10.0 ms'],
    [1234, '1234 ms'],
    [12_345, '12.3 s'],
    [59_999, '60.0 s'],
    [61_000, '1m 01.0s'],
    [3_599_990, '60m 00.0s'],
  ])('writes %d ms as %s', (value, text) => {
    expect(formatMs(value)).toBe(text);
  });
});

describe('Mermaid', () => {
  it('draws who asks whom', () => {
    const lines = renderTimelineMermaid(timeline).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'sequenceDiagram',
      '  participant T as Tools and callbacks',
      '  participant H as Host',
      '  participant C as Claude CLI',
    ]);
    expect(lines[4]).toBe('  H->>C: 1.0 ms initialize ');
    expect(lines.find((line) => line.includes('can_use_tool reply'))).toMatch(/^ {2}T-->>C: /);
    expect(lines.filter((line) => line.includes('--x'))).toHaveLength(2);
  });

  it('lets no text be syntax', () => {
    const text = 'end; Note over H: x #quot; <script>alert(1)</script>\n  participant X %% {}';
    const drawn = renderTimelineMermaid(buildTimeline(makeTrace({ calls: 1, text })));
    expect(drawn).not.toContain('<script');
    expect(drawn.match(/participant/g)?.length).toBeLessThanOrEqual(3 + drawn.split('\n').length);
    expect(
      drawn
        .split('\n')
        .every((line) =>
          /^(?:sequenceDiagram| {2}participant [THC] as .*| {2}(?:Note over H,C|[THC]-{1,2}(?:>>|x)[THC]): [^;]*(?:#\d+;[^;]*)*|)$/.test(
            line,
          ),
        ),
    ).toBe(true);
  });

  it('stops before it is too much to draw', () => {
    const long = renderTimelineMermaid(buildTimeline(makeTrace({ calls: 500 })), { maxRows: 50 });
    expect(long.split('\n').length).toBeLessThan(60);
    expect(long).toContain('more');
  });
});

describe('a trace that anybody may have written', () => {
  const oddTime = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '12', -1, 1e308, NaN, Infinity, -0, [], {}, true),
    fc.double(),
    fc.integer({ min: 0, max: 1000 }),
  );
  const oddValue = fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, undefined, 0, [], {}, true),
    hostileText,
    fc.dictionary(
      fc.constantFrom('type', 'subtype', 'message', 'content', 'request', 'response', 'text', 'toString'),
      hostileText,
      { noNullPrototype: true },
    ),
  );
  const frame = fc.oneof(
    oddValue,
    fc.record({
      type: fc.constantFrom('user', 'assistant', 'result', 'stream_event', 'system'),
      message: oddValue,
      event: oddValue,
      result: oddValue,
      total_cost_usd: oddTime,
      subtype: oddValue,
    }),
    fc.record({
      type: fc.constant('assistant'),
      message: fc.record({
        content: fc.array(
          fc.record({
            type: fc.constantFrom('tool_use', 'text'),
            id: fc.constantFrom('a', 'b'),
            name: oddValue,
            input: oddValue,
            text: oddValue,
          }),
        ),
      }),
    }),
    fc.record({
      type: fc.constant('user'),
      message: fc.record({
        content: fc.array(
          fc.record({
            type: fc.constant('tool_result'),
            tool_use_id: fc.constantFrom('a', 'b'),
            content: oddValue,
          }),
        ),
      }),
    }),
    fc.record({
      type: fc.constantFrom('control_request', 'control_cancel_request'),
      request_id: fc.constantFrom<unknown>('1', '2', 3),
      request: oddValue,
    }),
    fc.record({
      type: fc.constant('control_response'),
      response: fc.record({
        subtype: fc.constantFrom('success', 'error'),
        request_id: fc.constantFrom('1', '2'),
        response: oddValue,
        error: oddValue,
      }),
    }),
  );
  const step = fc.record(
    {
      type: fc.constantFrom('frame', 'frame', 'frame', 'fault', 'gap', 'input-end', 'terminate'),
      t: oddTime,
      dir: fc.constantFrom<unknown>('in', 'out', 'up', null),
      frame,
      text: oddValue,
      truncated: fc.option(fc.record({ bytes: oddTime, head: oddValue }), { nil: undefined }),
      code: oddValue,
      message: oddValue,
      reason: oddValue,
    },
    { requiredKeys: ['type'] },
  );
  const end = fc.option(
    fc.record(
      { type: fc.constant('end'), t: oddTime, exitCode: oddValue, signal: oddValue, error: oddValue },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  );

  it('is drawn in every form, and acts on nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), end, oddValue, (steps, last, odd) => {
        const header = { startedAt: odd, claudeCodeVersion: odd, cwd: odd };
        const trace = { header, steps, end: last, problems: [JSON.stringify(odd) ?? ''] } as unknown as Trace;
        const built = buildTimeline(trace);
        for (const { t } of built.rows) expect(t).toBeGreaterThanOrEqual(0);
        for (const { start, end: until } of built.spans) expect(until).toBeGreaterThanOrEqual(start);
        expect(Number.isFinite(built.totals.duration)).toBe(true);
        expectTame(renderTimelineText(built));
        expectTame(renderTimelineText(built, { colour: true, width: 60 }), { hasColours: true });
        expectTame(renderWith(NO_PAGE, built));
        const drawn = renderTimelineMermaid(built);
        expectTame(drawn);
        expect(drawn.trimEnd().split('\n')).toHaveLength(4 + built.rows.length);
        expect(drawn).not.toMatch(/\bend\b|%|\$/i);
      }),
      propertyOptions(60),
    );
  });

  it('says of times that are none that they are, and keeps to those around', () => {
    const marks = [5, null, '7', -3, 9].map((t) => ({ type: 'terminate', t }) as TraceStep);
    const built = buildTimeline({
      header: makeTrace({ calls: 0 }).header,
      steps: marks,
      end: undefined,
      problems: [],
    });
    expect(built.rows.map(({ t }) => t)).toEqual([5, 5, 5, 5, 9]);
    expect(built.problems).toEqual(['3 events have no usable time; that of the previous event is used']);
  });

  it('may have more rows and spans than a function takes arguments', () => {
    // More than a call takes.
    const many = 126_000;
    const content = Array.from({ length: many }, (_, index) => ({
      type: 'tool_use',
      id: String(index),
      name: 'x',
    }));
    const steps: TraceStep[] = [
      { type: 'frame', t: 1, dir: 'in', frame: { type: 'assistant', message: { content } } },
    ];
    for (let t = 2; t < many; t += 1) steps.push({ type: 'terminate', t });
    const built = buildTimeline({
      header: makeTrace({ calls: 0 }).header,
      steps,
      end: undefined,
      problems: [],
    });
    // Of values this large, matchers would make texts.
    expect(built.spans.length).toBe(many);
    expect(renderTimelineText(built).split('\n').length).toBeGreaterThan(many - 1);
    expect(renderTimelineMermaid(built).length).toBeLessThan(100_000);
  }, 180_000);
});

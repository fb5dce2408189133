// What took time, in bars and lanes, from events alone.
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../src/model/time/span-segments.js';
import { stepFrom } from '../../src/model/time/span-steps.js';
import { TimeLedger } from '../../src/model/time/time-ledger.js';
import { layOutRows } from '../../src/model/time/timeline-rows.js';
import { endOf, spanOutcomeOf, type TimeSpan } from '../../src/model/time/time-span.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { EventMaker, makeManyCalls, readFixture } from '../support/make-events.js';

function read(events: readonly NumberedEvent[]): TimeLedger {
  const ledger = new TimeLedger();
  for (const event of events) ledger.push(event);
  return ledger;
}

const told = (ledger: TimeLedger) =>
  ledger.groups.map(({ name, model, lanes }) => ({
    name,
    model: model.map(tell),
    lanes: lanes.map((lane) => lane.map(tell)),
  }));

function tell(span: TimeSpan): string {
  const outcome = spanOutcomeOf(span);
  return [span.label, outcome].filter(Boolean).join(' ');
}

function find(ledger: TimeLedger, label: string): TimeSpan {
  for (const { model, lanes } of ledger.groups)
    for (const span of [model, ...lanes].flat()) if (span.label === label) return span;
  throw new Error(`There is no bar "${label}"`);
}

describe('the bars of a recorded session', () => {
  const ledger = read(readFixture('story'));

  it('stack what went on at once, and keep subagents apart', () => {
    expect(told(ledger)).toMatchObject([
      {
        name: 'Main conversation',
        lanes: [
          expect.arrayContaining(['count_stock', 'Task', 'send_mail']),
          expect.arrayContaining(['count_stock', 'refund_order denied']),
          ['count_stock failed'],
        ],
      },
      { name: 'general-purpose: Find out about Porto' },
    ]);
  });

  it('never overlap in a lane', () => {
    for (const { model, lanes } of ledger.groups)
      for (const lane of [model, ...lanes])
        for (const [index, span] of lane.entries()) {
          const next = lane[index + 1];
          if (next) expect(next.start).toBeGreaterThanOrEqual(endOf(span, ledger.durationMs));
        }
  });

  it('say what a call waited for, without gaps', () => {
    const call = find(ledger, 'send_mail');
    const segments = segmentsOf(call, ledger.durationMs);
    expect(segments.map(({ share }) => share)).toEqual(
      expect.arrayContaining(['permission', 'code', 'overhead']),
    );
    expect(segments[0]?.start).toBe(call.start);
    expect(segments.at(-1)?.end).toBe(call.activity.end);
    for (const [index, segment] of segments.entries())
      if (index > 0) expect(segment.start).toBe(segments[index - 1]?.end);
  });

  it('have shares and stretches that add up to the session', () => {
    const shares = ledger.shares();
    const sum = Object.values(shares).reduce((total, ms) => total + ms, 0);
    expect(sum).toBeCloseTo(ledger.durationMs, 3);
    let at = 0;
    for (const { start, end } of ledger.stretches) {
      expect(start).toBeCloseTo(at, 6);
      at = end;
    }
    expect(at).toBeCloseTo(ledger.durationMs, 6);
    expect(ledger.tally().find(({ share }) => share === 'permission')).toMatchObject({
      count: 2,
      longest: { label: 'send_mail' },
    });
  });
});

describe('the longest of a share', () => {
  it('is what counted for the share, not what went on meanwhile', () => {
    const maker = new EventMaker().open().prompt('Go').init();
    maker.streamed({ type: 'message_start', message: { id: 'm1', usage: { input_tokens: 1 } } }).wait(900);
    const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: {} };
    maker.assistant(call, { id: 'm1' });
    maker.asks('q', { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'c1' }).wait(100);
    // The model's message ends while a person is asked already.
    maker.streamed({ type: 'message_stop' }).wait(400);
    const model = new TimeLedger();
    for (const event of maker.events) model.push(event);
    for (const at of [undefined, maker.t + 5000]) {
      const rows = new Map(model.tally(at).map((row) => [row.share, row]));
      expect(rows.get('model')?.ms).toBeGreaterThan(890);
      expect(rows.get('model')?.longest?.ms).toBe(rows.get('model')?.ms);
      expect(rows.get('permission')?.longest?.ms).toBe(rows.get('permission')?.ms);
    }
  });
});

describe('a bar', () => {
  it('begins with what was first heard of its call, which may be a hook', () => {
    const maker = new EventMaker().open().prompt('Go').init().wait(100);
    maker.asks('h', {
      subtype: 'hook_callback',
      tool_use_id: 'toolu_1',
      input: { hook_event_name: 'PreToolUse' },
    });
    const { t } = maker;
    maker.wait(3).assistant({ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} });
    const ledger = read(maker.wait(10).answers('h', {}).wait(50).result('toolu_1', 'ok').events);
    const call = find(ledger, 'Bash');
    expect(call.start).toBe(t - 1);
    expect(segmentsOf(call, maker.t).map(({ label }) => label)).toEqual(['hook PreToolUse', 'in the CLI']);
  });

  it('lasts as long as the session while it is not over', () => {
    const maker = new EventMaker().open().prompt('Go').init();
    const ledger = read(maker.assistant({ type: 'tool_use', id: 'a', name: 'Bash', input: {} }).events);
    const call = find(ledger, 'Bash');
    expect(spanOutcomeOf(call)).toBe('not over');
    expect(endOf(call, 60_000)).toBe(60_000);
    expect(ledger.current).toBe('cliTools');
    expect(ledger.shares(60_000).cliTools).toBeGreaterThan(59_000);
  });

  it('of a model tells waiting, thinking and writing apart', () => {
    const maker = new EventMaker().open().prompt('Go').init().wait(400);
    maker.streamed({ type: 'message_start', message: { id: 'm' } });
    maker.streamed({ type: 'content_block_start', content_block: { type: 'thinking' } }).wait(200);
    maker.pieces('thinking', 'Hm').streamed({ type: 'content_block_stop' });
    maker.streamed({ type: 'content_block_start', content_block: { type: 'text' } }).wait(300);
    maker.pieces('text', 'Yes').streamed({ type: 'content_block_stop' }).streamed({ type: 'message_stop' });
    const segments = segmentsOf(find(read(maker.events), 'Model'), maker.t);
    expect(segments.map(({ label }) => label)).toEqual([
      'waiting for the model',
      'thinking',
      'waiting for the model',
      'writing',
      'waiting for the model',
    ]);
    const longest = segments.toSorted((one, other) => other.end - other.start - (one.end - one.start));
    expect(longest.slice(0, 3).map(({ label }) => label)).toEqual([
      'waiting for the model',
      'writing',
      'thinking',
    ]);
  });

  it('stands for pauses before another attempt, and for compaction', () => {
    const maker = new EventMaker().open().prompt('Go').init().wait(10);
    maker.in({ type: 'system', subtype: 'api_retry', attempt: 2, retry_delay_ms: 600 }).wait(700);
    maker.in({ type: 'system', subtype: 'status', status: 'compacting' }).wait(900);
    maker.in({ type: 'system', subtype: 'compact_boundary', compact_metadata: { pre_tokens: 9 } });
    const ledger = read(maker.events);
    const [retry, compaction] = [find(ledger, 'retry 2'), find(ledger, 'Compaction')];
    expect(endOf(retry, 0) - retry.start).toBe(600);
    expect(endOf(compaction, 0) - compaction.start).toBe(901);
  });
});

describe('going from bar to bar', () => {
  const rows = layOutRows(read(readFixture('story')).groups, { head: 34, lane: 30 });
  const count = rows.reduce((sum, { spans }) => sum + spans.length, 0);

  it.each([1, -1] as const)('in direction %i passes each one once', (direction) => {
    const seen = new Set<TimeSpan>();
    let from: TimeSpan | undefined;
    for (;;) {
      const next = stepFrom(rows, from, direction);
      if (!next) break;
      if (from) expect((next.span.start - from.start) * direction).toBeGreaterThanOrEqual(0);
      expect(seen.has(next.span)).toBe(false);
      seen.add(next.span);
      from = next.span;
    }
    expect(seen.size).toBe(count);
  });
});

describe('a long session', () => {
  it('is kept in lanes of a few, whose spans stay sorted', () => {
    const ledger = read(makeManyCalls(2000));
    const [main] = ledger.groups;
    expect(main?.lanes.length).toBeLessThan(5);
    const starts = (main?.lanes[0] ?? []).map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(ledger.turns).toHaveLength(200);
  });

  it('with thousands of calls at once gives each a lane, and frees them', () => {
    const maker = new EventMaker().open().prompt('Go').init();
    const calls = Array.from({ length: 3000 }, (_, index) => `toolu_${index}`);
    for (const id of calls) maker.assistant({ type: 'tool_use', id, name: 'Bash', input: {} });
    for (const id of calls) maker.result(id, 'ok');
    maker.wait(5).assistant({ type: 'tool_use', id: 'last', name: 'Read', input: {} });
    const lanes = read(maker.events).groups[0]?.lanes ?? [];
    expect(lanes).toHaveLength(3000);
    expect(lanes[0]?.map(({ label }) => label)).toEqual(['Bash', 'Read']);
  });
});

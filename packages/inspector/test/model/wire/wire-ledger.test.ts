// The rows of the wire: what they say, which belong together, and how pieces fold.
import { describe, expect, it } from 'vitest';
import { encodeNumbered } from '../../../src/stream/event-codec.js';
import type { NumberedEvent } from '../../../src/stream/inspector-event.js';
import { WireLedger } from '../../../src/model/wire/wire-ledger.js';
import { describeRun } from '../../../src/model/wire/wire-runs.js';
import type { WireRow } from '../../../src/model/wire/wire-row.js';
import { EventMaker, makeLiveSession, readFixture } from '../../support/make-events.js';

function bookOf(events: readonly NumberedEvent[]): WireLedger {
  const ledger = new WireLedger();
  for (const event of events) ledger.push(event);
  return ledger;
}

const find = (ledger: WireLedger, event: string): WireRow =>
  ledger.rows.find((row) => row.event === event) as WireRow;

describe('the rows of a call', () => {
  const ledger = bookOf(new EventMaker().open().prompt('Count.').init().call('toolu_1').end().over().events);

  it('say who spoke, what, and what it has to do with', () => {
    expect(ledger.rows.map(({ direction, layer, tone, event }) => [direction, layer, tone, event])).toEqual([
      ['none', 'process', 'overhead', 'opened'],
      ['none', 'process', 'overhead', 'header'],
      ['out', 'message', 'plain', 'user'],
      ['in', 'message', 'overhead', 'system/init'],
      ['in', 'message', 'model', 'assistant (tool_use)'],
      ['in', 'mcp', 'code', 'tools/call'],
      ['out', 'mcp', 'code', 'tools/call answer'],
      ['in', 'message', 'code', 'user (tool_result)'],
      ['none', 'process', 'overhead', 'end'],
      ['none', 'process', 'overhead', 'over'],
    ]);
  });

  it('call tools as people do', () => {
    expect(find(ledger, 'assistant (tool_use)').summary).toBe('count {"article":"lamp"}');
    expect(find(ledger, 'tools/call').summary).toBe('shop: count {"article":"lamp"}');
  });

  it('are linked: question and answer, and all of one call', () => {
    const asked = find(ledger, 'tools/call');
    const answer = find(ledger, 'tools/call answer');
    expect(answer.answers).toBe(asked.n);
    expect(asked.answeredBy).toBe(answer.n);
    expect(ledger.kinOf(asked).map(({ event }) => event)).toEqual([
      'assistant (tool_use)',
      'tools/call',
      'tools/call answer',
      'user (tool_result)',
    ]);
    expect(ledger.kinOf(find(ledger, 'user'))).toEqual([]);
  });

  it('say how long after the row before', () => {
    const answer = find(ledger, 'tools/call answer');
    expect(answer.since).toBe(answer.t - find(ledger, 'tools/call').t);
    expect(ledger.rows.every(({ since }) => since >= 0)).toBe(true);
  });

  it('are found by number', () => {
    for (const row of ledger.rows) expect(ledger.at(row.n)).toBe(row);
    expect(ledger.at(0)).toBeUndefined();
    expect(ledger.at(999)).toBeUndefined();
  });
});

describe('a message of several calls', () => {
  it('belongs to each of them', () => {
    const content = ['toolu_a', 'toolu_b'].map((id) => ({ type: 'tool_use', id, name: 'Bash', input: {} }));
    const ledger = bookOf(
      new EventMaker()
        .in({ type: 'assistant', message: { role: 'assistant', content }, parent_tool_use_id: null })
        .result('toolu_b', 'two')
        .result('toolu_a', 'one').events,
    );
    expect(ledger.kinOf(ledger.rows[0] as WireRow).map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(ledger.kinOf(ledger.rows[2] as WireRow).map(({ n }) => n)).toEqual([1, 3]);
    // It ran in the CLI.
    expect(ledger.rows[1]?.tone).toBe('cli');
  });
});

describe('the size of a frame', () => {
  const text = 'Grüße, 你好';
  const events = new EventMaker().prompt(text).events;
  const [{ event }] = events as [NumberedEvent];
  const expected = Buffer.byteLength(JSON.stringify((event as { frame?: unknown }).frame));

  it('is that of its JSON in bytes, measured from the line or without it', () => {
    expect(bookOf(events).rows[0]?.bytes).toBe(expected);
    const ledger = new WireLedger();
    for (const event of events) ledger.push(event, encodeNumbered({ ...event, s: 'a "frame": s' }));
    expect(ledger.rows[0]?.bytes).toBe(expected);
  });

  it('is what the source says of one that was cut', () => {
    const [first] = events as [NumberedEvent];
    expect(bookOf([{ ...first, isCut: true, bytes: 70_000 }]).rows[0]?.bytes).toBe(70_000);
    expect(bookOf([{ ...first, isCut: true }]).rows[0]?.bytes).toBeUndefined();
  });

  it('is told of lines that were too large to be recorded', () => {
    const truncated = { bytes: 5_000_000, head: '{' };
    const ledger = bookOf([{ n: 1, s: 's', event: { type: 'frame', t: 1, dir: 'in', truncated } }]);
    expect(ledger.rows[0]).toMatchObject({ event: 'large frame', bytes: 5_000_000 });
  });
});

describe('hidden values', () => {
  it('mark their rows', () => {
    const ledger = bookOf(
      new EventMaker()
        .prompt('the key is [redacted]')
        .prompt('[redacted: 12 characters]')
        .prompt('[redacted maybe').events,
    );
    expect(ledger.rows.map(({ isHidden }) => isHidden)).toEqual([true, true, false]);
  });
});

describe('pieces of a streamed answer', () => {
  it('are runs: in a recording with what is said between them, in a live session joined', () => {
    const recorded = bookOf(readFixture('story'));
    const runs = [...new Set(recorded.rows.flatMap(({ run }) => run ?? []))];
    expect(runs.length).toBeGreaterThan(5);
    const [first] = runs;
    expect(first?.contents).toEqual(['thinking']);
    expect(first?.rows.some(({ event }) => event === 'system/thinking_tokens')).toBe(true);
    expect(describeRun(first as never)).toMatch(/^\d+ pieces, thinking · The question is about blue lamps /);
    // Few rows are left when they are folded.
    const folded = recorded.rows.filter(({ run }) => !run).length + runs.length;
    expect(folded).toBeLessThan(recorded.rows.length / 2);

    const live = bookOf(makeLiveSession());
    const [run] = live.rows.flatMap((row) => row.run ?? []);
    expect(describeRun(run as never)).toBe('8 pieces, text · I will send it.');
    expect(run?.rows).toHaveLength(4);
  });

  it('of a subagent are a run of their own', () => {
    const ledger = bookOf(
      new EventMaker().pieces('text', 'one').pieces('text', 'two', { parent: 'toolu_1' }).events,
    );
    expect(ledger.rows[0]?.run).not.toBe(ledger.rows[1]?.run);
  });

  it('that only mark a beginning or an end are called by their names', () => {
    const ledger = bookOf(
      new EventMaker().streamed({ type: 'message_delta' }).streamed({ type: 'message_stop' }).events,
    );
    expect(describeRun(ledger.rows[0]?.run as never)).toBe('message_delta, message_stop');
  });
});

describe('events that anybody may have written', () => {
  it('have a row all the same', () => {
    const odd = [
      { type: 'frame', t: 'x', dir: 'in', frame: 7 },
      { type: 'frame', t: 3, dir: 'odd', frame: { type: 'assistant', message: null } },
      { type: 'gap', t: 2, reason: { a: 1 } },
      { type: 'end', t: 4 },
      { type: 'of tomorrow', t: 5 },
    ];
    const ledger = bookOf(
      odd.map((event, index) => ({ n: index + 1, s: 's', event }) as unknown as NumberedEvent),
    );
    expect(ledger.rows).toHaveLength(odd.length);
    for (const row of ledger.rows) {
      expect(Number.isFinite(row.t)).toBe(true);
      expect(typeof row.summary).toBe('string');
    }
  });
});

// Axes, folds, and which bars are drawn: what a window of the timeline shows.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAxis, makeFoldedAxis } from '../../src/model/time/axis.js';
import { findLongIdle, FoldedTime } from '../../src/model/time/folded-time.js';
import { TimeLedger } from '../../src/model/time/time-ledger.js';
import type { Segment, TimeSpan } from '../../src/model/time/time-span.js';
import { shareOfBar } from '../../src/model/time/span-segments.js';
import { findErrorMarks, findLaneBars, findTurnLines } from '../../src/model/time/turn-bars.js';
import { findBands, findBars, toTime, toX } from '../../src/model/time/visible-bars.js';
import { propertyOptions } from '../../../../test/support/seed.js';
import { EventMaker, makeManyCalls } from '../support/make-events.js';

describe('an axis', () => {
  it.each([
    [0, 800, 8, ['0 ms', '100 ms', '200 ms', '300 ms', '400 ms', '500 ms', '600 ms', '700 ms', '800 ms']],
    [0, 7000, 7, ['0 s', '1 s', '2 s', '3 s', '4 s', '5 s', '6 s', '7 s']],
    [3100, 4900, 4, ['3.5 s', '4.0 s', '4.5 s']],
    [0, 150_000, 3, ['0 s', '50 s', '100 s', '150 s']],
    [0, 600_000, 4, ['0 min', '5 min', '10 min']],
    [0, 8 * 3_600_000, 4, ['0 h', '2 h', '4 h', '6 h', '8 h']],
    [1_234_567, 1_234_570, 3, ['1,234,567 ms', '1,234,568 ms', '1,234,569 ms', '1,234,570 ms']],
  ])('from %d to %d ms has round steps in one unit', (from, to, most, labels) => {
    expect(makeAxis(from, to, most).ticks.map(({ label }) => label)).toEqual(labels);
  });

  it('always has few ticks, within its window, in ascending order and one unit', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.double({ min: 0.01, max: 1e9, noNaN: true }),
        fc.integer({ min: 2, max: 20 }),
        (from, length, most) => {
          const { ticks, unit } = makeAxis(from, from + length, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          for (const [index, { t, label }] of ticks.entries()) {
            expect(t).toBeGreaterThanOrEqual(from - length * 1e-6);
            expect(t).toBeLessThanOrEqual(from + length * (1 + 1e-6));
            expect(t).toBeGreaterThan(ticks[index - 1]?.t ?? -1);
            expect(label.endsWith(` ${unit.name}`)).toBe(true);
          }
        },
      ),
      propertyOptions(100),
    );
  });
});

describe('folded time', () => {
  const idle = { share: 'idle', start: 10_000, end: 3_610_000 } as const;
  const folded = new FoldedTime(3_620_000, [idle]);

  it('leaves a mark where nothing happened, and all else as long as it was', () => {
    expect(folded.length).toBeCloseTo(20_000 * 1.03);
    expect(folded.toPlace(5000)).toBe(5000);
    expect(folded.toPlace(3_615_000) - folded.toPlace(3_610_000)).toBeCloseTo(5000);
  });

  it('has no tick inside a fold, and the true times beside it', () => {
    const { ticks } = makeFoldedAxis(folded, { from: 0, to: folded.length }, 10);
    for (const { t } of ticks) expect(t <= idle.start || t >= idle.end).toBe(true);
    expect(ticks.map(({ label }) => label)).toEqual(['0 s', '5 s', '10 s', '3,610 s', '3,615 s', '3,620 s']);
  });

  it('goes both ways for any stretches', () => {
    const pieces = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 99_999 })),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(pieces, fc.double({ min: 0, max: 1, noNaN: true }), (list, part) => {
        let at = 0;
        const stretches = list.map(([busy, free]) => {
          const start = at + busy;
          at = start + free;
          return { start, end: at };
        });
        const time = new FoldedTime(at + 10, stretches);
        const t = part * (at + 10);
        const place = time.toPlace(t);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(time.length + 1e-6);
        expect(time.toTime(place)).toBeCloseTo(t, 3);
        expect(time.toPlace(t + 1)).toBeGreaterThan(place);
      }),
      propertyOptions(100),
    );
  });

  it('is offered for idle stretches over thirty seconds only', () => {
    const maker = new EventMaker().open().prompt('One').init().turnEnd('1').wait(29_000);
    maker.prompt('Two').init().wait(40_000).turnEnd('2').wait(60_000).prompt('Three').init();
    const ledger = new TimeLedger();
    for (const event of maker.events) ledger.push(event);
    expect(findLongIdle(ledger.stretches).map(({ start, end }) => Math.round((end - start) / 1000))).toEqual([
      60,
    ]);
  });
});

describe('what is drawn', () => {
  const ledger = new TimeLedger();
  for (const event of makeManyCalls(4000)) ledger.push(event);
  const time = new FoldedTime(ledger.durationMs);
  const whole = { time, from: 0, to: time.length, width: 1000, now: ledger.durationMs };
  const lane = ledger.groups[0]?.lanes[0] ?? [];

  it('is bounded by the width, and stands for every span', () => {
    const bars = findBars(lane, whole);
    expect(bars.length).toBeLessThan(350);
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(lane.length);
    expect(findBands(ledger.stretches, whole).length).toBeLessThan(2 * whole.width);
  });

  it('is every span by itself when there is room', () => {
    const from = time.length / 2;
    const window = { ...whole, from, to: from + 100 };
    const bars = findBars(lane, window);
    const inside = (span: TimeSpan): boolean =>
      (span.activity.end ?? 0) > window.from && span.start <= window.to;
    expect(bars.map(({ span }) => span)).toEqual(lane.filter(inside));
    expect(bars.every(({ count }) => count === 1)).toBe(true);
  });

  it('looks at few spans to find those of a window', () => {
    let looked = 0;
    const counting = new Proxy(lane, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    findBars(counting, { ...whole, from: time.length / 2, to: time.length / 2 + 100 });
    expect(looked).toBeLessThan(100);
  });

  it('is where its time is, both ways', () => {
    const window = { ...whole, from: 1000, to: 2000 };
    expect(toX(window, 1500)).toBeCloseTo(500);
    expect(toTime(window, 500)).toBeCloseTo(1500);
  });
});

describe('what is drawn of narrow spans', () => {
  const maker = new EventMaker('s1').open('conversation');
  for (let turn = 1; turn <= 3; turn += 1) {
    maker.prompt(`Turn ${turn}`).init();
    for (let call = 1; call <= 6; call += 1)
      maker.call(`t${turn}-${call}`, 'Bash', {}, { ms: 10, isError: turn === 2 && call === 3 }).wait(40);
    maker.turnEnd('Done.').wait(2000);
  }
  const ledger = new TimeLedger();
  for (const event of maker.events) ledger.push(event);
  const time = new FoldedTime(ledger.durationMs);
  const [lane = []] = ledger.groups[0]?.lanes ?? [];
  const whole = { time, from: 0, to: time.length, width: 1000, now: ledger.durationMs };

  it('is one bar for each turn, as wide as they are together, and stands for all of them', () => {
    const bars = findLaneBars(lane, whole, ledger.turns);
    expect(bars.map(({ turn, count }) => [turn, count])).toEqual([
      [1, 6],
      [2, 6],
      [3, 6],
    ]);
    for (const { x, width, span } of bars) {
      expect(x).toBeCloseTo(toX(whole, span.start));
      expect(width).toBeGreaterThan(30);
    }
  });

  it('is every span where there is room, and where a turn would be as narrow, what can be told apart', () => {
    const close = { ...whole, width: 20_000 };
    expect(findLaneBars(lane, close, ledger.turns)).toEqual(findBars(lane, close));
    const far = findLaneBars(lane, { ...whole, width: 12 }, ledger.turns);
    expect(far.reduce((sum, { count }) => sum + count, 0)).toBe(lane.length);
  });

  it('marks what failed, once for what is close together', () => {
    const failed = lane.find(({ activity }) => activity.isError) as TimeSpan;
    expect(findErrorMarks(lane, whole)).toEqual([toX(whole, failed.start)]);
    const all = lane.map((span) => ({ ...span, activity: { ...span.activity, isError: true } }));
    const marks = findErrorMarks(all, { ...whole, width: 500 });
    expect(marks.length).toBeLessThan(all.length);
    for (const [index, x] of marks.slice(1).entries())
      expect(x - (marks[index] ?? 0)).toBeGreaterThanOrEqual(7);
    expect(findErrorMarks(lane, { ...whole, from: 0, to: failed.start / 2 })).toEqual([]);
  });

  it('has a line for each turn, and none where the lines would be a pattern', () => {
    expect(findTurnLines(ledger.turns, whole)).toEqual(ledger.turns);
    expect(findTurnLines(ledger.turns, { ...whole, width: 30 })).toEqual([]);
    const [, second] = ledger.turns.map(({ t }) => t) as [number, number];
    // However many turns there were before: what counts is how many are seen.
    const part = { ...whole, from: second - 1, to: second + 1, width: 30 };
    expect(findTurnLines(ledger.turns, part).map(({ t }) => t)).toEqual([second]);
  });

  it('has the colour of what ran, also where more of the time was overhead', () => {
    const span = (share: 'code' | 'overhead' | 'permission', ms: number, start = 0): Segment => ({
      share,
      label: share,
      start,
      end: start + ms,
    });
    expect(shareOfBar([span('overhead', 6), span('code', 3, 6), span('permission', 2, 9)])).toBe('code');
    expect(shareOfBar([span('overhead', 6)])).toBe('overhead');
    expect(shareOfBar([])).toBe('overhead');
  });
});

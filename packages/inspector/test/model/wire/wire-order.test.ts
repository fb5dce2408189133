// The lines of the wire in other orders than they passed, and how long it was from request to reply.
import { describe, expect, it } from 'vitest';
import { NO_WIRE_FILTER, WireList } from '../../../src/model/wire/wire-list.js';
import {
  AS_PASSED,
  orderLines,
  sortedBy,
  spanOfEntry,
  timeInSight,
  type WireSort,
} from '../../../src/model/wire/wire-order.js';
import { WireLedger } from '../../../src/model/wire/wire-ledger.js';
import { EventMaker } from '../../support/make-events.js';

function makeLines(): { list: WireList; ledger: WireLedger } {
  const maker = new EventMaker()
    .open()
    .prompt('Count.')
    .call('slow', 'mcp__shop__count', { article: 'lamp' }, { ms: 400 })
    .call('quick', 'mcp__shop__order', { article: 'desk' }, { ms: 20 })
    .end();
  const ledger = new WireLedger();
  for (const event of maker.events) ledger.push(event);
  return { ledger, list: new WireList(ledger, NO_WIRE_FILTER).update() };
}

const ordered = (sort: WireSort): { n: number; event: string; took: number | undefined }[] => {
  const { list, ledger } = makeLines();
  const rowAt = (n: number) => ledger.at(n);
  return orderLines(list, sort, rowAt).entries.map((entry) => {
    const span = spanOfEntry(entry, rowAt);
    return { n: entry.n, event: entry.kind === 'row' ? entry.event : '', took: span && span.to - span.from };
  });
};

describe('the order of the wire', () => {
  it('is that in which the lines passed, or the other way round', () => {
    const up = ordered(AS_PASSED).map(({ n }) => n);
    expect(up).toEqual(up.toSorted((one, other) => one - other));
    expect(ordered({ by: 'time', isDown: true }).map(({ n }) => n)).toEqual(up.toReversed());
  });

  it.each([true, false])('puts lines that answer nothing last (greatest first: %s)', (isDown) => {
    const lines = ordered({ by: 'took', isDown });
    const known = lines.filter(({ took }) => took !== undefined);
    expect(lines.slice(0, 4)).toEqual(known);
    const took = known.map((line) => Math.round((line.took ?? 0) / 100));
    expect(took).toEqual(isDown ? [4, 4, 0, 0] : [0, 0, 4, 4]);
    // Equal lines stay as they passed: a request before its reply.
    expect(known.map(({ event }) => event)).toEqual([
      'tools/call',
      'tools/call answer',
      'tools/call',
      'tools/call answer',
    ]);
  });

  it('finds the line of an event in every order', () => {
    const { list, ledger } = makeLines();
    for (const by of ['time', 'event', 'took', 'size'] as const)
      for (const isDown of [true, false]) {
        const lines = orderLines(list, { by, isDown }, (n) => ledger.at(n));
        for (const { n } of list.entries) expect(lines.entries[lines.indexOf(n)]?.n).toBe(n);
        expect(lines.indexOf(999)).toBe(-1);
      }
  });

  it('begins with the greatest where that is what one looks for, and turns round', () => {
    const took = sortedBy(AS_PASSED, 'took');
    expect(took).toEqual({ by: 'took', isDown: true });
    expect(sortedBy(took, 'took')).toEqual({ by: 'took', isDown: false });
    expect(sortedBy(took, 'event')).toEqual({ by: 'event', isDown: false });
  });

  it('gives the bars the time of the lines in sight, and with it that of their replies where these come last', () => {
    const { list, ledger } = makeLines();
    const { entries } = list;
    const within = (first: number, end: number, coversReplies: boolean): number[] => {
      const { from, to } = timeInSight({ entries, first, end }, (n) => ledger.at(n), coversReplies);
      return [from, to];
    };
    const at = (index: number): number => entries[index]?.t as number;
    const slow = entries.findIndex((entry) => entry.kind === 'row' && entry.event === 'tools/call');
    expect(within(0, entries.length, true)).toEqual([at(0), at(entries.length - 1)]);
    expect(within(0, slow + 1, false)).toEqual([at(0), at(slow)]);
    expect(within(0, slow + 1, true)).toEqual([at(0), at(slow + 1)]);
    expect(at(slow + 1) - at(slow)).toBeGreaterThanOrEqual(400);
    expect(within(3, 3, true)).toEqual([0, 0]);
  });
});

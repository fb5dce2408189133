// What the wire view lists under a filter, and where it finds an event again.
import { describe, expect, it } from 'vitest';
import { WireLedger } from '../../../src/model/wire/wire-ledger.js';
import { NO_WIRE_FILTER, WireList, type WireFilter } from '../../../src/model/wire/wire-list.js';
import { makeManyCalls, readFixture } from '../../support/make-events.js';

const events = readFixture('story');
const ledger = new WireLedger();
for (const event of events) ledger.push(event);
const list = (filter: Partial<WireFilter> = {}): WireList =>
  new WireList(ledger, { ...NO_WIRE_FILTER, ...filter }).update();
const rowsOf = (found: WireList) => found.entries.flatMap((entry) => (entry.kind === 'row' ? [entry] : []));

describe('a list of the wire', () => {
  it('folds pieces, and has every event unfolded', () => {
    expect(rowsOf(list()).every(({ run }) => run === undefined)).toBe(true);
    expect(list({ folds: false }).entries).toEqual(ledger.rows);
  });

  it('opens one run under its head', () => {
    const head = list().entries.find(({ kind }) => kind === 'run');
    const opened = list({ open: new Set([head?.n ?? 0]) });
    const at = opened.entries.indexOf(head as never);
    const rows = head?.kind === 'run' ? head.rows : [];
    expect(opened.entries.slice(at, at + 1 + rows.length)).toEqual([head, ...rows]);
    expect(opened.entries.length).toBe(list().entries.length + rows.length);
    expect(opened.entries[opened.indexOf(head?.n ?? 0)]).toBe(rows[0]);
  });

  it('finds each event, or the run it is folded into', () => {
    const folded = list();
    for (const row of ledger.rows) expect(folded.entries[folded.indexOf(row.n)]).toBe(row.run ?? row);
    const flat = list({ folds: false });
    for (const row of ledger.rows) expect(flat.entries[flat.indexOf(row.n)]).toBe(row);
    expect(list({ errorsOnly: true }).indexOf(1)).toBe(-1);
  });

  it('is filtered by layer, direction, errors and call', () => {
    const control = list({ hiddenLayers: new Set(['message', 'mcp', 'process']) });
    expect(new Set(rowsOf(control).map(({ layer }) => layer))).toEqual(new Set(['control']));
    expect(rowsOf(list({ direction: 'out' })).every(({ direction }) => direction === 'out')).toBe(true);
    const failed = rowsOf(list({ errorsOnly: true }));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every(({ isError }) => isError)).toBe(true);
    const [id = ''] = rowsOf(list()).find(({ event }) => event === 'tools/call')?.ids ?? [];
    const kin = rowsOf(list({ call: id }));
    expect(kin.length).toBeGreaterThan(2);
    expect(kin.every(({ ids }) => ids.includes(id))).toBe(true);
  });

  it('finds texts in names and summaries, in runs, and the events that were found elsewhere', () => {
    expect(rowsOf(list({ text: 'CAN_use' })).length).toBeGreaterThan(0);
    const inRun = list({ text: 'blue lamps in three' });
    expect(inRun.entries.some(({ kind }) => kind === 'run')).toBe(true);
    expect(list({ text: 'nowhere at all' }).entries).toEqual([]);
    expect(rowsOf(list({ text: 'nowhere at all', found: new Set([2]) })).map(({ n }) => n)).toEqual([2]);
  });

  it('grows with its ledger, and is then what it would have been', () => {
    const growing = new WireLedger();
    const grown = new WireList(growing, { ...NO_WIRE_FILTER, text: 'lamp' });
    for (const event of makeManyCalls(40)) {
      growing.push(event);
      grown.update();
    }
    const whole = new WireList(growing, { ...NO_WIRE_FILTER, text: 'lamp' }).update();
    expect(grown.entries).toEqual(whole.entries);
    expect(whole.entries.length).toBeGreaterThan(40);
  });
});

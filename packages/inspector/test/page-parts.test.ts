// Parts of the page that need no browser: the layout of long lists, keys, addresses, preferences, and data within a file.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListHeights } from '../src/page/components/list-heights.js';
import { ListLayout } from '../src/page/components/list-layout.js';
import { createEmbeddedSource } from '../src/page/source/embedded-source.js';
import { bindKeys, defineKeys, pressKey, readKeySets } from '../src/page/store/keys.js';
import { readPlace, writePlace } from '../src/page/store/place.js';
import { createPreferences } from '../src/page/store/preferences.js';
import { ManualSource } from './support/page-store.js';

describe('ListHeights', () => {
  it('knows where each row begins and which row stands where, however it was changed', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), height: fc.integer({ min: 1, max: 500 }) }),
      fc.record({
        kind: fc.constant('set' as const),
        height: fc.integer({ min: 1, max: 500 }),
        at: fc.nat(60),
      }),
      fc.record({ kind: fc.constant('truncate' as const), height: fc.constant(0), at: fc.nat(60) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        const heights = new ListHeights();
        let plain: number[] = [];
        for (const step of changes) {
          if (step.kind === 'push') {
            heights.push(step.height);
            plain.push(step.height);
          } else if (step.kind === 'truncate') {
            heights.truncate(step.at);
            plain = plain.slice(0, step.at);
          } else {
            heights.set(step.at, step.height);
            if (step.at < plain.length) plain[step.at] = step.height;
          }
        }
        let offset = 0;
        plain.forEach((height, index) => {
          expect(heights.offsetOf(index)).toBe(offset);
          expect(heights.indexAt(offset)).toBe(index);
          expect(heights.indexAt(offset + height - 1)).toBe(index);
          offset += height;
        });
        expect(heights.total).toBe(offset);
        expect(heights.indexAt(offset + 1000)).toBe(plain.length - 1);
      }),
    );
  });
});

describe('ListLayout', () => {
  const rowsOf = (keys: readonly number[]) => ({
    count: keys.length,
    keyAt: (index: number) => keys[index] as number,
  });

  it('draws few of 100,000 rows, and looks at only new ones when some come at the end', () => {
    const layout = new ListLayout(20);
    let looks = 0;
    const rows = (count: number) => ({
      count,
      keyAt: (index: number) => {
        looks += 1;
        return index;
      },
    });
    layout.sync(rows(100_000), undefined);
    looks = 0;
    layout.sync(rows(100_010), layout.anchorAt(1_000_000));
    expect(looks).toBeLessThan(20);
    const { first, end } = layout.range(1_000_000, 1000, 400);
    expect([first, end]).toEqual([49_980, 50_071]);
    const low = new ListLayout(2);
    low.sync(rows(100_000), undefined);
    const range = low.range(50_000, 2000, 400);
    expect(range.end - range.first).toBeLessThanOrEqual(180);
    expect(range.first).toBeLessThanOrEqual(25_000);
  });

  it('finds what is at the upper edge again when rows come above it, as high as they were', () => {
    const layout = new ListLayout(20);
    layout.sync(rowsOf([1, 2, 3, 4]), undefined);
    layout.measure(0, 1, 100);
    layout.measure(1, 2, 50);
    const anchor = layout.anchorAt(110);
    expect(anchor).toEqual({ key: 2, index: 1, past: 10 });
    expect(layout.sync(rowsOf([8, 9, 1, 2, 3, 4]), anchor)).toBe(3);
    expect(layout.heights.offsetOf(3)).toBe(140);
    expect(layout.sync(rowsOf([8, 9]), { key: 2, index: 3, past: 0 })).toBeUndefined();
    expect(layout.sync(rowsOf([]), undefined)).toBeUndefined();
    expect(layout.anchorAt(0)).toBeUndefined();
    expect(layout.range(0, 100, 0)).toEqual({ first: 0, end: 0 });
  });

  it('says where to scroll to', () => {
    const layout = new ListLayout(10);
    layout.sync(rowsOf(Array.from({ length: 100 }, (_, index) => index)), undefined);
    const at = { scrollTop: 300, height: 100 };
    expect(layout.scrollTopFor(50, 'start', at)).toBe(500);
    expect(layout.scrollTopFor(50, 'center', at)).toBe(455);
    expect(layout.scrollTopFor(50, 'nearest', at)).toBe(410);
    expect(layout.scrollTopFor(35, 'nearest', at)).toBe(300);
    expect(layout.scrollTopFor(10, 'nearest', at)).toBe(100);
  });
});

describe('keys', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, isInField: false };

  it('do what was bound last, rest while one types, and are all known to the help', () => {
    const done: string[] = [];
    const low = defineKeys('Low', {
      next: { keys: ['j', 'ArrowDown'], says: 'Next' },
      send: { keys: ['Ctrl+Enter'], says: 'Send', inFields: true },
    });
    const high = defineKeys('High', { other: { keys: ['j'], says: 'Other' } });
    const endLow = bindKeys(low, (name) => done.push(`low ${name}`));
    const endUnder = bindKeys(high, () => done.push('under'), 'under');
    const endHigh = bindKeys(high, (name) => done.push(`high ${name}`));
    expect(pressKey({ ...plain, key: 'j' })).toBe(true);
    endHigh();
    pressKey({ ...plain, key: 'j' });
    pressKey({ ...plain, key: 'ArrowDown' });
    expect(pressKey({ ...plain, key: 'j', isInField: true })).toBe(false);
    pressKey({ ...plain, key: 'Enter', ctrlKey: true, isInField: true });
    pressKey({ ...plain, key: 'Enter', metaKey: true, isInField: true });
    expect(pressKey({ ...plain, key: 'j', ctrlKey: true })).toBe(false);
    endLow();
    pressKey({ ...plain, key: 'j' });
    endUnder();
    expect(pressKey({ ...plain, key: 'j' })).toBe(false);
    expect(done).toEqual(['high other', 'low next', 'low next', 'low send', 'low send', 'under']);
    expect(readKeySets().map(({ group }) => group)).toEqual(expect.arrayContaining(['Low', 'High']));
  });
});

describe('addresses', () => {
  it('say the same when they are read again', () => {
    const name = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
    fc.assert(
      fc.property(
        name,
        name,
        fc.option(fc.integer({ min: 1 }), { nil: undefined }),
        (session, compared, event) => {
          const place = { view: 'wire' as const, session, compared, event };
          expect(readPlace(writePlace(place))).toEqual(place);
        },
      ),
    );
  });

  it('are passed over where they make no sense', () => {
    expect(readPlace('#view=nowhere&event=-3&x=y')).toEqual({
      view: undefined,
      session: undefined,
      event: undefined,
      compared: undefined,
    });
    expect(readPlace('')).toMatchObject({ event: undefined });
  });
});

describe('preferences', () => {
  it('are kept, and harmless where nothing can be kept', () => {
    const kept = new Map<string, string>();
    const storage = () => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
    const first = createPreferences(storage);
    expect([first.theme.value, first.notifies.value]).toEqual(['system', false]);
    first.theme.value = 'dark';
    first.notifies.value = true;
    first.keep();
    const second = createPreferences(storage);
    expect([second.theme.value, second.notifies.value]).toEqual(['dark', true]);
    const none = createPreferences(() => {
      throw new Error('forbidden');
    });
    none.keep();
    expect(none.theme.value).toBe('system');
    for (const text of ['null', '{', '{"theme":"pink","notifies":"yes"}']) {
      kept.set('inboard-inspector', text);
      expect(createPreferences(storage).theme.value).toBe('system');
      expect(createPreferences(storage).notifies.value).toBe(false);
    }
  });
});

describe('data within a file', () => {
  it('are read by number, also where lines were left out', async () => {
    const given = new ManualSource();
    const all = given.add('one', 10);
    const lines = [...all.slice(0, 3), ...all.slice(7)];
    const source = createEmbeddedSource({ state: given.serverState, events: { one: lines } });
    const first = await source.read('one', 0, 4);
    expect(first).toEqual({ lines: lines.slice(0, 4), next: 8, total: 6 });
    expect(await source.read('one', 8, 4)).toEqual({ lines: lines.slice(4), next: undefined, total: 6 });
    expect(await source.readWhole('one', 9)).toBe(lines[4]);
    expect(await source.readWhole('one', 5)).toBeUndefined();
    expect(await source.readWhole('two', 1)).toBeUndefined();
    expect(await source.act({ action: 'create-link' })).toMatchObject({ ok: false });
  });
});

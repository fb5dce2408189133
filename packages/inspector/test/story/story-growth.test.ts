// Long sessions: each event takes the same few steps, however much was told before. Counted, not timed: what is looked at while
// the last hundred events are taken is the same after a few hundred as after eight thousand.
import { describe, expect, it } from 'vitest';
import { Story } from '../../src/model/story/story.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { makeManyCalls } from '../support/make-events.js';

interface Book {
  push(event: NumberedEvent): void;
}

/** How many entries of maps, sets and arrays are gone through while something runs. */
function countSteps(run: () => void): number {
  let steps = 0;
  const restore: (() => void)[] = [];
  for (const type of [Map.prototype, Set.prototype, Array.prototype] as { [Symbol.iterator]: unknown }[]) {
    const own = type[Symbol.iterator] as (this: unknown) => Iterator<unknown>;
    type[Symbol.iterator] = function* watched(this: unknown) {
      const iterator = own.call(this);
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
        steps += 1;
        yield next.value;
      }
    };
    restore.push(() => {
      type[Symbol.iterator] = own;
    });
  }
  for (const type of [Map.prototype, Set.prototype] as { values: unknown }[]) {
    const own = type.values as (this: unknown) => IterableIterator<unknown>;
    type.values = function* watched(this: unknown) {
      for (const value of { [Symbol.iterator]: () => own.call(this) }) {
        steps += 1;
        yield value;
      }
    };
    restore.push(() => {
      type.values = own;
    });
  }
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
}

function stepsAtTheEnd(ledger: Book, events: readonly NumberedEvent[]): number {
  for (const event of events.slice(0, -100)) ledger.push(event);
  return countSteps(() => {
    for (const event of events.slice(-100)) ledger.push(event);
  });
}

describe('a long session', () => {
  const short = makeManyCalls(100).slice(0, -2);
  const long = makeManyCalls(2000).slice(0, -2);

  it.each([
    ['its story', () => new Story()],
    ['its summary', () => new SummaryLedger('s1')],
  ])('adds to %s at the price of a short one', (_name, create) => {
    const early = stepsAtTheEnd(create(), short);
    const late = stepsAtTheEnd(create(), long);
    expect(early).toBeGreaterThan(20);
    expect(late).toBeLessThanOrEqual(early * 1.2);
  });

  it('is watched by a counter that counts', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const steps = countSteps(() => {
      for (const value of list) String(value);
    });
    expect(steps).toBeGreaterThanOrEqual(1000);
  });

  it('keeps every item', () => {
    const story = new Story();
    for (const event of long) story.push(event);
    const kinds = new Map<string, number>();
    for (const { kind } of story.items) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    expect(Object.fromEntries(kinds)).toEqual({ mark: 1, prompt: 200, text: 600, call: 2000, answer: 200 });
    expect(new Set(story.items.map(({ key }) => key)).size).toBe(story.items.length);
  });
});

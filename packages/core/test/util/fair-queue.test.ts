import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/util/queues/fair-queue.js';

const keys = fc.constantFrom('a', 'b', 'c', 'd');
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('push' as const), key: keys }),
    fc.record({ do: fc.constant('take' as const) }),
    fc.record({ do: fc.constant('remove' as const), pick: fc.nat(50) }),
  ),
  { maxLength: 200 },
);

interface Item {
  key: string;
  number: number;
}

describe('a fair queue', () => {
  it('serves nobody twice while another waits, keeps the order within a key, and loses nothing', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        const queue = new FairQueue<Item>();
        const waiting: Item[] = [];
        /** How often each waiting key saw another one served since it was last served or came. */
        const passedOver = new Map<string, Map<string, number>>();
        let number = 0;
        for (const step of plan) {
          if (step.do === 'push') {
            const item = { key: step.key, number: (number += 1) };
            if (!waiting.some(({ key }) => key === step.key)) passedOver.set(step.key, new Map());
            queue.push(step.key, item);
            waiting.push(item);
          } else if (step.do === 'take') {
            const item = queue.take();
            expect(item === undefined).toBe(waiting.length === 0);
            if (!item) continue;
            expect(item).toBe(waiting.find(({ key }) => key === item.key));
            waiting.splice(waiting.indexOf(item), 1);
            passedOver.set(item.key, new Map());
            for (const key of new Set(waiting.map((each) => each.key))) {
              if (key === item.key) continue;
              const seen = passedOver.get(key) as Map<string, number>;
              seen.set(item.key, (seen.get(item.key) ?? 0) + 1);
              expect(seen.get(item.key)).toBe(1);
            }
          } else if (waiting.length > 0) {
            const item = waiting[step.pick % waiting.length] as Item;
            waiting.splice(waiting.indexOf(item), 1);
            expect(queue.remove(item.key, item)).toBe(true);
            expect(queue.remove(item.key, item)).toBe(false);
          }
          expect(queue.size).toBe(waiting.length);
        }
      }),
    );
  });

  it('counts by key, and knows nothing of strangers', () => {
    const queue = new FairQueue<number>();
    queue.push('a', 1);
    queue.push('a', 2);
    queue.push('b', 3);
    expect([...queue.counts()]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(queue.remove('c', 1)).toBe(false);
    expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([1, 3, 2, undefined]);
  });
});

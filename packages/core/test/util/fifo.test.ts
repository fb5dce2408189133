import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fifo } from '../../src/util/queues/fifo.js';

describe('Fifo', () => {
  it('behaves like an array that is shifted', () => {
    // Long bursts, so that taken items are compacted away in between.
    const anyBurst = fc.integer({ min: -3000, max: 3000 });
    fc.assert(
      fc.property(fc.array(anyBurst, { maxLength: 20 }), (bursts) => {
        const fifo = new Fifo<number>();
        const model: number[] = [];
        let next = 0;
        for (const burst of bursts) {
          for (let count = 0; count < Math.abs(burst); count += 1) {
            if (burst > 0) {
              fifo.push(next);
              model.push(next);
              next += 1;
            } else {
              // Not by expect, which would take most of the test's time.
              const [taken, expected] = [fifo.shift(), model.shift()];
              if (taken !== expected) throw new Error(`took ${taken} instead of ${expected}`);
            }
          }
          expect(fifo.size).toBe(model.length);
          expect([...fifo]).toEqual(model);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is empty after close and can be used again', () => {
    const fifo = new Fifo<string>();
    fifo.push('a');
    fifo.close();
    expect(fifo.size).toBe(0);
    expect(fifo.shift()).toBeUndefined();
    fifo.push('b');
    expect(fifo.shift()).toBe('b');
  });
});

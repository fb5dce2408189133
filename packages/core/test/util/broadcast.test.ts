import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Broadcast, encodeOnce } from '../../src/util/queues/broadcast.js';

async function readAll<T>(reader: AsyncIterable<T>): Promise<{ items: T[]; error: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of reader) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items, error: undefined };
}

describe('a broadcast', () => {
  it('gives each reader everything from when it came, in order, whatever the others do', async () => {
    const plan = fc.array(fc.constantFrom('push', 'join', 'read', 'leave'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(plan, fc.boolean(), async (steps, fails) => {
        const broadcast = new Broadcast<number>({ maxBytes: 4 });
        const readers: {
          reader: AsyncIterableIterator<number>;
          from: number;
          got: number[];
          left: boolean;
        }[] = [];
        let pushed = 0;
        for (const step of steps) {
          const here = readers.filter(({ left }) => !left);
          const [first] = here;
          if (step === 'push') broadcast.push((pushed += 1));
          else if (step === 'join')
            readers.push({ reader: broadcast.subscribe(), from: pushed, got: [], left: false });
          else if (step === 'read' && first && first.from + first.got.length < pushed) {
            const { value } = await first.reader.next();
            first.got.push(value as number);
          } else if (step === 'leave' && first) {
            first.left = true;
            await first.reader.return?.();
          }
        }
        const error = new Error('over');
        if (fails) broadcast.fail(error);
        else broadcast.end();
        broadcast.push(1000);
        for (const { reader, from, got, left } of readers) {
          const rest = await readAll(reader);
          if (left) expect(rest).toEqual({ items: [], error: undefined });
          else {
            expect([...got, ...rest.items]).toEqual(
              Array.from({ length: pushed - from }, (_, index) => from + index + 1),
            );
            expect(rest.error).toBe(fails ? error : undefined);
          }
        }
        expect(broadcast.readers).toBe(0);
        expect((await readAll(broadcast.subscribe())).error).toBe(fails ? error : undefined);
      }),
      { numRuns: 60 },
    );
  });

  it('encodes an item once for all, and not at all for readers who wait', async () => {
    const broadcast = new Broadcast<{ toJSON(): string }>();
    let encodings = 0;
    const item = { toJSON: () => `${(encodings += 1)}` };
    const waiting = broadcast.subscribe();
    const next = waiting.next();
    broadcast.push(item, encodeOnce(item));
    expect((await next).value).toBe(item);
    expect(encodings).toBe(0);
    broadcast.subscribe();
    broadcast.push(item, encodeOnce(item));
    expect(encodings).toBe(1);
    broadcast.end();
    await readAll(waiting);
  });
});

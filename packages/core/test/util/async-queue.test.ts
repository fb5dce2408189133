import { describe, expect, it } from 'vitest';
import { AsyncQueue, NOTHING, type QueueBuffer } from '../../src/util/queues/async-queue.js';
import { Fifo } from '../../src/util/queues/fifo.js';
import { SpillQueue } from '../../src/util/queues/spill-queue.js';

class ClosableFifo<T> extends Fifo<T> {
  closed = 0;
  override close(): void {
    this.closed += 1;
    super.close();
  }
}

async function collect<T>(queue: AsyncQueue<T, never[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

const DONE = { done: true, value: undefined };

describe('AsyncQueue', () => {
  it('gives what was pushed before anybody asked, then ends', async () => {
    const queue = new AsyncQueue<number>(new Fifo());
    queue.push(1);
    queue.push(2);
    expect(queue.size).toBe(2);
    queue.end();
    expect(await collect(queue)).toEqual([1, 2]);
    expect(await queue.next()).toEqual(DONE);
  });

  it('serves overlapping calls in order', async () => {
    const queue = new AsyncQueue<number>(new Fifo());
    const pending = [queue.next(), queue.next(), queue.next(), queue.next()];
    queue.push(1);
    queue.push(2);
    queue.end();
    expect(await Promise.all(pending)).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      DONE,
      DONE,
    ]);
  });

  it('fails after the last item, once', async () => {
    const queue = new AsyncQueue<number>(new Fifo());
    queue.push(1);
    queue.fail(new Error('gone'));
    queue.end();
    queue.fail(new Error('again'));
    queue.push(2);
    expect(await queue.next()).toEqual({ done: false, value: 1 });
    await expect(queue.next()).rejects.toThrow('gone');
    expect(await queue.next()).toEqual(DONE);
  });

  it('settles every pending call when it fails: the first rejects, the others are done', async () => {
    const queue = new AsyncQueue<number>(new Fifo());
    const order: string[] = [];
    const pending = [queue.next(), queue.next(), queue.next()].map((call, index) =>
      call.then(
        (result) => order.push(`${index} done ${result.done}`),
        (error: Error) => order.push(`${index} ${error.message}`),
      ),
    );
    queue.fail(new Error('gone'));
    await Promise.all(pending);
    expect(order.toSorted()).toEqual(['0 gone', '1 done true', '2 done true']);
  });

  it('fails with undefined as well', async () => {
    const queue = new AsyncQueue<number>(new Fifo());
    queue.fail(undefined);
    await expect(queue.next()).rejects.toBeUndefined();
    expect(await queue.next()).toEqual(DONE);
  });

  it('carries undefined as an item', async () => {
    const queue = new AsyncQueue<undefined>(new Fifo());
    queue.push(undefined);
    queue.end();
    expect(await collect(queue)).toEqual([undefined]);
  });

  it('ends for everybody when the consumer leaves, and drops the rest', async () => {
    const buffer = new ClosableFifo<number>();
    const queue = new AsyncQueue<number>(buffer);
    const pending = [queue.next(), queue.next()];
    expect(await queue.return()).toEqual(DONE);
    expect(await Promise.all(pending)).toEqual([DONE, DONE]);
    queue.push(1);
    queue.fail(new Error('late'));
    expect(await queue.next()).toEqual(DONE);
    expect(queue.size).toBe(0);
    expect(buffer.closed).toBe(1);
  });

  it('closes its buffer when a loop breaks', async () => {
    const buffer = new ClosableFifo<number>();
    const queue = new AsyncQueue<number>(buffer);
    queue.push(1);
    queue.push(2);
    for await (const item of queue) {
      expect(item).toBe(1);
      break;
    }
    expect(buffer.closed).toBeGreaterThan(0);
    expect(buffer.size).toBe(0);
  });

  it.each(['end', 'fail'] as const)('closes an empty buffer at %s without waiting for a consumer', (how) => {
    const buffer = new ClosableFifo<number>();
    const queue = new AsyncQueue<number>(buffer);
    queue[how](new Error('gone'));
    expect(buffer.closed).toBe(1);
  });

  it('rejects and is over when its buffer loses items', async () => {
    const broken: QueueBuffer<number> = {
      size: 1,
      push() {},
      shift() {
        throw new Error('unreadable');
      },
      close() {},
    };
    const queue = new AsyncQueue<number>(broken);
    await expect(queue.next()).rejects.toThrow('unreadable');
    expect(await queue.next()).toEqual(DONE);
  });

  it('passes over what turns out to be nothing, and waits or ends behind it', async () => {
    const queue = new AsyncQueue<number | undefined>(new Fifo<never>());
    for (const item of [NOTHING, 1, NOTHING, undefined, NOTHING]) queue.push(item as number);
    expect(await queue.next()).toEqual({ done: false, value: 1 });
    expect(await queue.next()).toEqual({ done: false, value: undefined });
    const waiting = queue.next();
    expect(queue.isAwaited).toBe(true);
    queue.push(2);
    expect(await waiting).toEqual({ done: false, value: 2 });
    queue.push(NOTHING as unknown as number);
    queue.end();
    expect(queue.isOpen).toBe(false);
    expect(await queue.next()).toEqual(DONE);
  });

  it('works on a spilling buffer', async () => {
    const queue = new AsyncQueue<{ n: number }, [encoded: string]>(new SpillQueue({ maxBytes: 100 }));
    const count = 20_000;
    for (let n = 0; n < count; n += 1) queue.push({ n }, `{"n":${n}}`);
    queue.end();
    const items: number[] = [];
    for await (const item of queue) items.push(item.n);
    expect(items).toEqual(Array.from({ length: count }, (_, n) => n));
  });
});

// Events of a turn: in order, joined, written together, and never twice.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Journal } from '../../../src/journal/journal.js';
import type { NewClusterEvent } from '../../../src/journal/records.js';
import { EventPublisher } from '../../../src/work/turns/event-publisher.js';
import { HeldLease } from '../../../src/work/host/held-lease.js';
import { parseCost } from '../../../../durable/src/attempt/session-cost.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';

afterEach(() => {
  vi.useRealTimers();
});

const piece = (text: string): SDKMessage =>
  ({
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  }) as unknown as SDKMessage;
const message = (uuid: string): SDKMessage => ({ type: 'assistant', uuid }) as unknown as SDKMessage;

function createPublisher(publish: (events: NewClusterEvent[], batch: string) => Promise<number>) {
  const lease = new HeldLease({
    fence: { key: 'k', epoch: 1, owner: 'me' },
    ms: 60_000,
    askedAt: performance.now(),
    onTrouble: () => {},
  });
  const write = vi.fn(publish);
  const journal = { publish: (_: unknown, events: NewClusterEvent[], batch: string) => write(events, batch) };
  const onFailure = vi.fn();
  const publisher = new EventPublisher({
    journal: journal as unknown as Journal,
    lease,
    turn: 't',
    onFailure,
  });
  return { publisher, write, onFailure };
}

describe('an event publisher', () => {
  it('joins pieces of text to at most ten events a second', async () => {
    vi.useFakeTimers();
    const { publisher, write } = createPublisher(async () => 1);
    for (let tenth = 0; tenth < 100; tenth += 1) {
      void publisher.add(piece('x'));
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(write.mock.calls.length).toBeLessThanOrEqual(12);
    const texts = write.mock.calls.flatMap(([events]) =>
      events.map((event) => (event as { text: string }).text),
    );
    expect(texts.join('')).toBe('x'.repeat(100));
  });

  it('keeps the order of texts and messages, and gives at the end what is not written', async () => {
    const { publisher, write } = createPublisher(async () => 1);
    void publisher.add(message('a'));
    void publisher.add(piece('Hel'));
    void publisher.add(piece('lo'));
    void publisher.add(message('b'));
    await publisher.settled();
    expect(write.mock.calls.flatMap(([events]) => events)).toEqual([
      { turn: 't', type: 'message', message: message('a') },
      { turn: 't', type: 'text', text: 'Hello' },
      { turn: 't', type: 'message', message: message('b') },
    ]);
    void publisher.add(message('c'));
    const rest = await publisher.end();
    const written = write.mock.calls.flatMap(([events]) => events);
    expect([...written, ...rest]).toHaveLength(4);
    void publisher.add(message('d'));
    expect(await publisher.end()).toEqual([]);
  });

  it('names a batch the same when it is written again', async () => {
    const { publisher, write } = createPublisher(async () => 1);
    write.mockRejectedValueOnce(new Error('The answer was lost'));
    void publisher.add(message('a'));
    await publisher.settled();
    const batches = write.mock.calls.map(([, batch]) => batch);
    expect(batches).toHaveLength(2);
    expect(new Set(batches).size).toBe(1);
  });

  it('makes callers wait while much is unwritten, and says what cannot be written', async () => {
    const { publisher, onFailure } = createPublisher(() =>
      Promise.reject(Object.assign(new Error('no'), { code: 'INVALID_OPTIONS' })),
    );
    let waiting: Promise<void> | undefined;
    for (let count = 0; count < 1100; count += 1) waiting = publisher.add(message(String(count)));
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect(onFailure).toHaveBeenCalledOnce();
    expect(await publisher.end()).toEqual([]);
  });
});

describe('parseCost', () => {
  it.each([
    ['Total cost:            $0.1234\nTotal duration', 0.1234],
    ['Total cost: $12', 12],
    ['nothing', undefined],
  ])('reads %j', (text, cost) => expect(parseCost(text)).toBe(cost));
});

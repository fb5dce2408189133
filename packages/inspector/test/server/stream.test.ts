// Pages that listen: nothing is lost or comes twice, wherever a connection breaks off, and one that does not read is not
// buffered for.
import { Writable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStream, MOST_WAITING_BYTES } from '../../src/server/event-stream.js';
import { createPresenter } from '../../src/server/present.js';
import { FakeSource } from '../support/fake-source.js';
import { parseMessages, StreamReader } from '../support/read-stream.js';
import { Served } from '../support/served.js';

const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);

describe('a page that listens', () => {
  let served: Served;

  beforeEach(async () => {
    served = await (await Served.start()).enter();
  });
  afterEach(() => served.close());

  async function listen(path: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    return new StreamReader(await served.open({ path, headers }));
  }

  it('is told the state, then what happened, then what happens', async () => {
    for (let index = 0; index < 3; index += 1) served.source.add('a');
    served.source.add('b');
    const page = await listen('/api/stream?session=a');
    await page.waitFor(() => page.numbers.length === 3);
    expect(page.messages[0]).toMatchObject({ name: 'state', id: undefined });
    expect(page.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    served.source.add('b');
    served.source.add('a');
    await page.waitFor(() => page.numbers.length === 4);
    expect(page.numbers).toEqual([1, 2, 3, 6]);
    expect(page.messages.map(({ name }) => name)).toEqual(['state', 'event', 'event', 'event', 'event']);
  });

  it('goes on from its number at every place where it was cut off, whatever the address says', async () => {
    const last = 12;
    for (let index = 0; index < last; index += 1) served.source.add('a');
    for (let cut = 0; cut <= last; cut += 1) {
      const page = await listen('/api/stream?session=a&after=3', { 'last-event-id': String(cut) });
      await page.waitFor(() => page.numbers.length === last - cut && page.messages.length > 0);
      expect(page.numbers).toEqual(upTo(last, cut + 1));
      page.drop();
    }
    const page = await listen('/api/stream?session=a&after=3');
    await page.waitFor(() => page.numbers.length === 9);
    expect(page.numbers).toEqual(upTo(last, 4));
  });

  it('gets everything once, also what happens while older events are read', async () => {
    for (let index = 0; index < 500; index += 1) served.source.add('a');
    let reads = 0;
    served.source.beforeRead = async () => {
      // Each read finds that more has happened since; after a while nothing does.
      reads += 1;
      if (reads < 20) served.source.add('a');
      await Promise.resolve();
      if (reads < 20) served.source.add('a');
    };
    const page = await listen('/api/stream?session=a');
    await page.waitFor(() => page.numbers.length >= 538);
    served.source.add('a');
    await page.waitFor(() => page.numbers.length >= 539);
    expect(page.numbers).toEqual(upTo(539));
  });

  it('hears of summaries and questions of all sessions, and of one that begins later', async () => {
    const page = await listen('/api/stream?session=later');
    await page.waitFor(() => page.messages.length === 1);
    const [listener] = served.source.listeners;
    served.source.add('later');
    listener?.summary({ id: 'other' } as never);
    served.source.ask({ id: 'q', session: 'other' } as never);
    listener?.settled('other', 'q');
    listener?.changed?.();
    await page.waitFor(() => page.messages.length === 6);
    expect(page.messages.map(({ name }) => name)).toEqual([
      'state',
      'event',
      'summary',
      'question',
      'settled',
      'state',
    ]);
    expect(JSON.parse(page.messages[4]?.data as string)).toEqual({ session: 'other', id: 'q' });
  });

  it('is let go when it is gone, when too many listen, and when the server ends', async () => {
    const pages = await Promise.all(upTo(64).map(() => listen('/api/stream')));
    expect(await served.ask({ path: '/api/stream' })).toMatchObject({ status: 503 });
    expect(served.source.listeners.size).toBe(64);
    const [first, second] = pages as [StreamReader, StreamReader];
    first.drop();
    // Another page can have its place as soon as the server has noticed.
    let again = await served.open({ path: '/api/stream' });
    while (again.statusCode === 503) {
      again.resume();
      again = await served.open({ path: '/api/stream' });
    }
    expect(served.source.listeners.size).toBe(64);
    again.on('error', () => {});
    await served.server.close();
    await second.waitFor(() => second.isOver);
    expect(second.messages.at(-1)).toMatchObject({ name: 'closed' });
    expect(served.source.listeners.size).toBe(0);
  });

  it('loses nothing when it did not read for long, and is not waited for', async () => {
    const page = await listen('/api/stream?session=a');
    await page.waitFor(() => page.messages.length === 1);
    page.response.pause();
    const message = 'x'.repeat(8000);
    for (let index = 0; index < 1000; index += 1)
      served.source.add('a', { type: 'warning', t: 0, code: 'X', message });
    page.response.resume();
    await page.waitFor(() => page.numbers.length === 1000);
    expect(page.numbers).toEqual(upTo(1000));
  });
});

/** A response whose client reads only when it is told to. */
class SlowResponse extends Writable {
  readonly pieces: string[] = [];
  most = 0;
  #release: (() => void) | undefined;
  isReading = false;

  constructor() {
    super({ decodeStrings: false, highWaterMark: 16 * 1024 });
  }

  writeHead(): this {
    return this;
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    this.pieces.push(chunk);
    if (this.isReading) setImmediate(done);
    else this.#release = done;
  }

  override write(chunk: string): boolean {
    const isRoom = super.write(chunk);
    this.most = Math.max(this.most, this.writableLength);
    return isRoom;
  }

  readOn(): void {
    this.isReading = true;
    this.#release?.();
  }
}

describe('a page that does not read', () => {
  const event = { type: 'warning', t: 0, code: 'X', message: 'x'.repeat(8000) };
  const numbersIn = (text: string): number[] =>
    parseMessages(text).flatMap(({ name, id }) => (name === 'event' ? [id as number] : []));

  it('costs a bounded number of bytes, and gets what it missed by number', async () => {
    const source = new FakeSource();
    const response = new SlowResponse();
    const stream = new EventStream(response as unknown as ServerResponse, {
      source,
      present: createPresenter(source, false),
      place: { session: 'a', after: 0 },
    });
    await new Promise((resolve) => setImmediate(resolve));
    const linesBefore = source.reads.lines;
    for (let index = 0; index < 600; index += 1) source.add('a', event);
    const [listener] = source.listeners;
    for (let index = 0; index < 600; index += 1)
      listener?.summary({ id: 'a', title: event.message } as never);
    for (let index = 0; index < 100; index += 1) stream.beat();
    // Ten megabytes were said; what waits is one, and the message that filled it.
    expect(response.most).toBeGreaterThan(MOST_WAITING_BYTES);
    expect(response.most).toBeLessThan(MOST_WAITING_BYTES + 10_000);
    expect(source.reads.lines).toBe(linesBefore);

    response.readOn();
    while (!response.pieces.includes('id: 600\n')) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => response.once('drain', resolve));
    expect(response.most).toBeLessThan(MOST_WAITING_BYTES + 10_000);
    expect(numbersIn(response.pieces.join(''))).toEqual(upTo(600));
    // What was said of the sessions meanwhile is said once more, as it is now.
    const names = parseMessages(response.pieces.join('')).map(({ name }) => name);
    expect(names.filter((name) => name === 'state').length).toBeGreaterThan(1);
    expect(names.filter((name) => name === 'summary').length).toBe(0);
    stream.close({ how: 'closed' });
    expect(source.listeners.size).toBe(0);
  });

  it('is asked to connect again when the source cannot be read', async () => {
    const source = new FakeSource();
    source.add('a');
    source.beforeRead = () => Promise.reject(new Error('gone'));
    const response = new SlowResponse();
    response.isReading = true;
    const finished = new Promise((resolve) => response.once('finish', resolve));
    const stream = new EventStream(response as unknown as ServerResponse, {
      source,
      present: createPresenter(source, false),
      place: { session: 'a', after: 0 },
    });
    await finished;
    // Nothing is written any more.
    stream.beat();
    expect(source.listeners.size).toBe(0);
  });
});

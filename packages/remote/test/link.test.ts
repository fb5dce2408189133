// A link: a reader that stops reading stops the sender, both sides notice silence, and no side takes more than was granted.
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FRAME } from '../src/wire/frame.js';
import { Link } from '../src/wire/link.js';
import { STREAM, WINDOW_BYTES } from '../src/wire/streams.js';
import { createDuplexPair } from './support.js';

function createLinks(idleMs = 60_000) {
  const pair = createDuplexPair();
  const home = new Link(pair.home, { peer: 'there', idleMs });
  const there = new Link(pair.there, { peer: 'home', idleMs });
  for (const link of [home, there]) link.trust({ idleMs, theirIdleMs: idleMs });
  return { ...pair, home, there, pair };
}

/** Lets everything run that is due now. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The end of a line that takes a piece at a time, and from which nothing ever comes. */
function createSlowLine(pieceMs: number) {
  const taken: Buffer[] = [];
  const line = new Duplex({
    read: () => {},
    write(chunk: Buffer, _, done) {
      setTimeout(() => {
        taken.push(chunk);
        done();
      }, pieceMs);
    },
  });
  return { line, taken, size: () => taken.reduce((sum, { length }) => sum + length, 0) };
}

it('takes text from a line that gives text instead of bytes', async () => {
  const pair = createDuplexPair();
  pair.there.setEncoding('utf8');
  const home = new Link(pair.home, { peer: 'there', idleMs: 60_000 });
  const there = new Link(pair.there, { peer: 'home', idleMs: 60_000 });
  const taken: unknown[] = [];
  there.onFrame = (kind, payload) => taken.push([kind, payload.toString()]);
  home.sendJson(FRAME.hello, { name: 'é' });
  await settle();
  expect(taken).toEqual([[FRAME.hello, '{"name":"é"}']]);
  home.close();
  there.close();
});

describe('a stream on a link', () => {
  it('is held back by a reader that stops, and other frames still pass', async () => {
    const { home, there } = createLinks();
    const source = home.openOutgoing(STREAM.input);
    const sink = there.openIncoming(STREAM.input);
    const signals: number[] = [];
    there.onFrame = (kind) => signals.push(kind);
    const piece = Buffer.alloc(256 * 1024, 'x');
    let written = 0;
    while (source.write(piece)) written += piece.length;
    await settle();
    expect(source.writableNeedDrain).toBe(true);
    // The window, and what the stream itself may hold.
    expect(written).toBeLessThanOrEqual(WINDOW_BYTES + piece.length);
    expect(sink.readableLength).toBeLessThanOrEqual(WINDOW_BYTES);
    home.sendJson(FRAME.signal, { signal: 'SIGTERM' });
    await settle();
    expect(signals).toEqual([FRAME.signal]);

    let received = 0;
    sink.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    await once(source, 'drain');
    source.end();
    await once(sink, 'end');
    expect(received).toBe(written + piece.length);
    home.close();
    expect(await there.ended).toBeUndefined();
    expect(await home.ended).toBeUndefined();
  });

  it('is not to be overrun, nor granted more than there is', async () => {
    const over = createLinks();
    over.there.openIncoming(STREAM.input);
    over.home.send(FRAME.data, Buffer.of(STREAM.input), Buffer.alloc(WINDOW_BYTES + 1));
    expect(await over.there.ended).toMatchObject({ code: 'REMOTE_PROTOCOL' });

    const granted = createLinks();
    granted.there.openOutgoing(STREAM.output);
    granted.home.sendCredit(STREAM.output, 1);
    expect(await granted.there.ended).toMatchObject({ code: 'REMOTE_PROTOCOL' });

    const unknown = createLinks();
    unknown.home.sendEnd(STREAM.files);
    expect(await unknown.there.ended).toMatchObject({ code: 'REMOTE_PROTOCOL' });
  });

  it('ends with the link, and what has come is still there after a goodbye', async () => {
    const { home, there } = createLinks();
    const sink = there.openIncoming(STREAM.output);
    home.openOutgoing(STREAM.output).write('all of it');
    home.close();
    await there.ended;
    const chunks: Buffer[] = [];
    for await (const chunk of sink) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('all of it');
  });
});

describe('a link', () => {
  it('that is cut is noticed on both sides', async () => {
    const { home, there, cut } = createLinks(100);
    cut();
    for (const link of [home, there])
      expect(await link.ended).toMatchObject({ code: 'REMOTE_LINK_LOST', retryable: true });
  });

  it('that has nothing to say stays', async () => {
    const { pair, home, there } = createLinks(100);
    const ends: unknown[] = [];
    for (const link of [home, there]) void link.ended.then((end) => ends.push(end));
    // Four pings are sent within the limit.
    for (let pings = 0; pings < 10; pings += 1) await once(pair.there, 'data');
    expect(ends).toEqual([]);
    home.close();
    expect(await there.ended).toBeUndefined();
  });

  it('over which garbage comes is closed, with its words', async () => {
    const { pair, there } = createLinks();
    pair.home.write('Welcome to this host!\r\n');
    expect(await there.ended).toMatchObject({
      code: 'REMOTE_PROTOCOL',
      message: expect.stringContaining('Welcome to this host!') as string,
    });
  });

  it('that breaks in the middle of a frame is lost', async () => {
    const { pair, there } = createLinks();
    pair.home.write(encodeFrame(FRAME.start, Buffer.alloc(1000)).subarray(0, 500));
    pair.home.end();
    expect(await there.ended).toMatchObject({ code: 'REMOTE_LINK_LOST' });
  });

  it('over which bytes come is not idle, also in the middle of a frame', async () => {
    const line = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
    const there = new Link(line, { peer: 'home', idleMs: 200 });
    const ends: unknown[] = [];
    void there.ended.then((end) => ends.push(end));
    const frame = encodeFrame(FRAME.start, Buffer.alloc(100));
    const came = new Promise<number>((resolve) => {
      there.onFrame = resolve;
    });
    // Several times as long as the limit, a byte at a time; nothing else is sent.
    for (const byte of frame) {
      line.push(Buffer.of(byte));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await came).toBe(FRAME.start);
    expect(ends).toEqual([]);
    there.close();
  });

  it('that takes what is sent to it is not idle, and is lost once it no longer does', async () => {
    const { line, size } = createSlowLine(40);
    const link = new Link(line, { peer: 'there', idleMs: 200 });
    link.trust({ idleMs: 200, theirIdleMs: 200 });
    const ends: unknown[] = [];
    void link.ended.then((end) => ends.push(end));
    for (let piece = 0; piece < 20; piece += 1) link.sendData(STREAM.output, Buffer.alloc(50_000));
    while (size() < 1_000_000) {
      expect(ends).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await link.ended).toMatchObject({
      code: 'REMOTE_LINK_LOST',
      message: expect.stringMatching(
        /nothing arrived for 200 ms.* raise "idleMs" of connectCli\(\) .*--idle/,
      ) as string,
    });
  });

  it('that is closed waits for what is still under way, however slow the line is', async () => {
    const { line, taken } = createSlowLine(150);
    const link = new Link(line, { peer: 'there', idleMs: 2000 });
    link.trust({ idleMs: 2000, theirIdleMs: 2000 });
    // More than two seconds, which a goodbye among strangers may take.
    for (let piece = 0; piece < 16; piece += 1) link.sendData(STREAM.output, Buffer.alloc(65_536));
    link.close();
    const finished = once(line, 'finish');
    await Promise.race([finished, link.ended]);
    expect(taken.at(-1)).toEqual(encodeFrame(FRAME.bye));
    line.push(null);
    expect(await link.ended).toBeUndefined();
  });

  it('that is closed and takes nothing any more ends nevertheless', async () => {
    const line = new Duplex({ read: () => {}, write: () => {} });
    const link = new Link(line, { peer: 'there', idleMs: 100 });
    link.trust({ idleMs: 100, theirIdleMs: 100 });
    link.close();
    expect(await link.ended).toBeUndefined();
    expect(line.destroyed).toBe(true);
  });
});

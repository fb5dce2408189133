// Long lines are written in slices, in order, and nothing else comes between them.
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InputWriter } from '../../../src/wire/transport/input-writer.js';

const LONG = `"${'x😀'.repeat(1_500_000)}"`;

/** A pipe that keeps what it is given, and takes the next chunk when the test says so. */
function openPipe() {
  const chunks: string[] = [];
  const waiting: Array<() => void> = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk);
      waiting.push(done);
    },
  });
  const letPass = async (): Promise<void> => {
    for (let done = waiting.shift(); done; done = waiting.shift()) {
      done();
      await new Promise(setImmediate);
    }
  };
  return { stream, chunks, letPass };
}

describe('lines to a child', () => {
  it('go in slices when they are long, each when the one before is through', async () => {
    const { stream, chunks, letPass } = openPipe();
    const writer = new InputWriter(() => {});
    writer.attach(stream);
    writer.write('{"a":1}');
    expect(writer.write(LONG)).toBe(false);
    writer.write('{"b":2}');
    let isDrained = false;
    const drained = writer.drained().then(() => (isDrained = true));
    await new Promise(setImmediate);
    expect(chunks).toHaveLength(1);
    expect(isDrained).toBe(false);
    writer.end();
    await letPass();
    await drained;
    expect(chunks.length).toBeGreaterThan(4);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
    // Encoded one by one, as a stream does.
    const text = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString();
    expect(text).toBe(`{"a":1}\n${LONG}\n{"b":2}\n`);
    expect(stream.writableEnded).toBe(true);
  });

  it('go in slices also when another long one is still under way', async () => {
    const { stream, chunks, letPass } = openPipe();
    const writer = new InputWriter(() => {});
    writer.attach(stream);
    const lines = [LONG, '{"a":1}', LONG, '{"b":2}'];
    for (const line of lines) writer.write(line);
    writer.end();
    await letPass();
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
    expect(chunks.join('')).toBe(`${lines.join('\n')}\n`);
    expect(stream.writableEnded).toBe(true);
  });

  it('release who waits when the pipe breaks in the middle of a long one', async () => {
    const stream = new PassThrough({ highWaterMark: 1024 });
    const broken: unknown[] = [];
    const writer = new InputWriter((cause) => broken.push(cause));
    writer.attach(stream);
    writer.write(LONG);
    const drained = writer.drained();
    stream.destroy(new Error('gone'));
    await drained;
    await new Promise(setImmediate);
    expect(broken).toHaveLength(1);
    expect(writer.write('more')).toBe(true);
    writer.close();
  });

  it('wait for the pipe, and are dropped when it is closed', async () => {
    const writer = new InputWriter(() => {});
    writer.write(LONG);
    writer.end();
    const { stream, chunks, letPass } = openPipe();
    writer.attach(stream);
    await new Promise(setImmediate);
    writer.close();
    await letPass();
    expect(chunks).toHaveLength(1);
    await writer.drained();
  });
});

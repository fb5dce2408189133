// A program that has stopped reading may still have something to say.
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { joinPipes } from '../src/home/dial.js';

it('gives all that was written, though the program reads no more', async () => {
  const output = new PassThrough();
  const input = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const duplex = joinPipes(output, input);
  for (const text of ['a ping', 'another one'])
    await new Promise<void>((resolve, reject) => {
      duplex.write(text, (error) => (error ? reject(error) : resolve()));
    });
  expect(input.destroyed).toBe(true);
  output.end('goodbye');
  const said: Buffer[] = [];
  for await (const chunk of duplex) said.push(chunk as Buffer);
  expect(Buffer.concat(said).toString()).toBe('goodbye');
});

it('passes bytes both ways, holds back a writer nobody reads from, and ends both', async () => {
  const output = new PassThrough({ highWaterMark: 1024 });
  const input = new PassThrough();
  const duplex = joinPipes(output, input);
  duplex.write('there');
  expect(String((await once(input, 'data'))[0])).toBe('there');
  const piece = Buffer.alloc(64 * 1024);
  let pieces = 0;
  while (output.write(piece) && pieces < 100) pieces += 1;
  await new Promise((resolve) => setImmediate(resolve));
  expect(output.isPaused()).toBe(true);
  duplex.resume();
  await once(output, 'drain');
  duplex.destroy();
  await once(duplex, 'close');
  expect([output.destroyed, input.destroyed]).toEqual([true, true]);
});

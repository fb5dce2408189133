// Frames survive any cut of the bytes; what is none is refused before it is held.
import { array, assert, constantFrom, integer, property, record, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FRAME, FrameReader, GREETING_BYTES, type FrameKind } from '../src/wire/frame.js';
import { propertyOptions } from '../../../test/support/seed.js';

function read(chunks: readonly Buffer[], isTrusted = true) {
  const frames: { kind: FrameKind; payload: string }[] = [];
  const faults: string[] = [];
  const reader = new FrameReader({
    frame: (kind, payload) => frames.push({ kind, payload: payload.toString('base64') }),
    fault: (error) => faults.push(`${error.code} ${error.message}`),
  });
  if (isTrusted) reader.trust();
  for (const chunk of chunks) reader.push(chunk);
  return { frames, faults };
}

const KIND = constantFrom(...Object.values(FRAME));

describe('frames', () => {
  it('are read whole and in order, however the bytes are cut', () => {
    const frames = array(record({ kind: KIND, payload: uint8Array({ maxLength: 400 }) }), {
      minLength: 1,
      maxLength: 8,
    });
    assert(
      property(frames, array(integer({ min: 1, max: 60 }), { minLength: 1 }), (given, cuts) => {
        const bytes = Buffer.concat(given.map(({ kind, payload }) => encodeFrame(kind, payload)));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const length = cuts[turn % cuts.length] ?? 1;
          chunks.push(bytes.subarray(at, at + length));
          at += length;
        }
        expect(read(chunks)).toEqual({
          frames: given.map(({ kind, payload }) => ({
            kind,
            payload: Buffer.from(payload).toString('base64'),
          })),
          faults: [],
        });
      }),
      propertyOptions(200),
    );
  });

  it('come through one byte at a time', () => {
    const payload = Buffer.alloc(20_000, 'ä');
    const bytes = encodeFrame(FRAME.start, payload);
    const { frames } = read(Array.from(bytes, (byte) => Buffer.of(byte)));
    expect(frames).toEqual([{ kind: FRAME.start, payload: payload.toString('base64') }]);
  });

  it.each([
    ['a length that nobody has', Buffer.from('ffffffff08', 'hex'), 'a frame of 4294967294 bytes'],
    ['a length of zero', Buffer.from('0000000008', 'hex'), 'a frame of -1 bytes'],
    ['an unknown kind', Buffer.from('00000001ff', 'hex'), 'something that is not a frame'],
    ['words', Buffer.from('bash: npx: command not found\n'), '"bash: npx: command not found"'],
  ])('%s is refused, and nothing after it is read', (_, bytes, words) => {
    const { frames, faults } = read([bytes, encodeFrame(FRAME.ping)]);
    expect(frames).toEqual([]);
    expect(faults).toEqual([expect.stringContaining('REMOTE_PROTOCOL')]);
    expect(faults[0]).toContain(words);
  });

  it('of strangers are small', () => {
    const large = encodeFrame(FRAME.hello, Buffer.alloc(GREETING_BYTES + 1));
    expect(read([large], false).faults).toHaveLength(1);
    expect(read([large], true).faults).toEqual([]);
  });
});

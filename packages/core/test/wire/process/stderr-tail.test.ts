import { describe, expect, it } from 'vitest';
import { StderrTail } from '../../../src/wire/process/run/stderr-tail.js';

describe('StderrTail', () => {
  it('keeps the end and passes all of it on, characters whole', () => {
    const pieces: string[] = [];
    const tail = new StderrTail({ onText: (text) => pieces.push(text), onReaderError: () => undefined });
    const bytes = Buffer.from('x'.repeat(5000) + 'ä€😀');
    for (const byte of bytes) tail.push(Buffer.of(byte));
    tail.end();
    expect(pieces.join('')).toBe(bytes.toString());
    expect(tail.text.endsWith('xä€😀')).toBe(true);
    expect(tail.text.length).toBe(4096);
  });

  it('does not begin in the middle of a character', () => {
    const tail = new StderrTail({ onReaderError: () => undefined });
    tail.push('😀'.repeat(3000) + '.');
    expect(tail.text).toBe('😀'.repeat(2047) + '.');
  });

  it('gives out what was cut off at the end', () => {
    const tail = new StderrTail({ onReaderError: () => undefined });
    tail.push(Buffer.from([0x61, 0xe2, 0x82]));
    tail.end();
    expect(tail.text).toBe('a\ufffd');
  });

  it('survives a reader that throws and tells of it once', () => {
    const errors: unknown[] = [];
    let calls = 0;
    const tail = new StderrTail({
      onText: () => {
        calls += 1;
        throw new Error('mine');
      },
      onReaderError: (error) => errors.push(error),
    });
    tail.push('a');
    tail.push('b');
    expect(calls).toBe(2);
    expect(errors).toEqual([new Error('mine')]);
    expect(tail.text).toBe('ab');
  });
});

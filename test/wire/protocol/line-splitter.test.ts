import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/wire/protocol/line-splitter.js';
import { decodeFrame, withoutPadding } from '../../../src/wire/protocol/codec.js';
import { propertyOptions } from '../../support/seed.js';
import { measureHeldMemory } from '../../util/measure-held-memory.js';

type Event = { line: string } | { oversized: number };

function split(chunks: readonly Uint8Array[], maxLineBytes?: number): Event[] {
  const events: Event[] = [];
  const splitter = createLineSplitter({
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    onLine: (text) => events.push({ line: text }),
    onOversized: ({ bytes }) => events.push({ oversized: bytes }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return events;
}

function linesOf(events: readonly Event[]): string[] {
  return events.map((event) => ('line' in event ? event.line : `oversized ${event.oversized}`));
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  return chunks;
}

const anyText = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\n', ''));
const anySizes = fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1, maxLength: 6 });

describe('createLineSplitter', () => {
  it('gives the same lines for any text, line ending and chunking', () => {
    const anyLine = fc.record({ text: anyText, ending: fc.constantFrom('\n', '\r\n') });
    fc.assert(
      fc.property(fc.array(anyLine), anyText, fc.boolean(), anySizes, (lines, last, hasMark, sizes) => {
        const content = lines.map((line) => line.text + line.ending).join('') + last;
        const expected = content
          .split('\n')
          .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
          .map((line, index) => (index === 0 && !hasMark && line.startsWith('\uFEFF') ? line.slice(1) : line))
          .filter((line) => line.trim() !== '');
        const bytes = Buffer.from((hasMark ? '\uFEFF' : '') + content);
        expect(linesOf(split(cut(bytes, sizes)))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('drops exactly the lines over the limit, each reported with its length in bytes', () => {
    const anyLimit = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(fc.array(anyText), anySizes, anyLimit, (texts, sizes, maxLineBytes) => {
        const lines = texts.map((text) => `[${text}]`);
        const expected = lines.map((line) => {
          const bytes = Buffer.byteLength(line);
          return bytes > maxLineBytes ? { oversized: bytes } : { line };
        });
        const content = Buffer.from(lines.join('\n'));
        expect(split(cut(content, sizes), maxLineBytes)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  describe('with any bytes at all', () => {
    // Line ends, NUL, marks, quotes and halves of characters more often than chance would have them.
    const anyByte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(
        0x0a,
        0x0d,
        0x00,
        0x20,
        0x22,
        0x5c,
        0x7b,
        0x7d,
        0xc3,
        0xe2,
        0xef,
        0xbb,
        0xbf,
        0xf0,
        0xff,
      ),
    );
    const anyBytes = fc.array(anyByte, { maxLength: 120 }).map((bytes) => Uint8Array.from(bytes));
    const anyLimit = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
    const MESSAGE = { type: 'result', text: 'ä😀' };

    it('gives the same lines however they are cut', () => {
      fc.assert(
        fc.property(anyBytes, anySizes, anyLimit, (bytes, sizes, limit) => {
          expect(split(cut(bytes, sizes), limit)).toEqual(split([bytes], limit));
        }),
        propertyOptions(300),
      );
    });

    it('decodes each line or says why not, and loses no message after them', () => {
      fc.assert(
        fc.property(anyBytes, anySizes, fc.nat(3), fc.nat(3), (garbage, sizes, before, after) => {
          const padded = '\0'.repeat(before) + JSON.stringify(MESSAGE) + '\0'.repeat(after);
          const bytes = Buffer.concat([garbage, Buffer.from(`\n${padded}\n`)]);
          const lines = linesOf(split(cut(bytes, sizes)));
          const frames = lines.map((line) => decodeFrame(withoutPadding(line) ?? line));
          for (const frame of frames) if (frame.kind === 'malformed') expect(frame.reason).not.toBe('');
          expect(frames.at(-1)).toEqual({ kind: 'message', message: MESSAGE });
        }),
        propertyOptions(300),
      );
    });

    it('decodes any JSON value without throwing', () => {
      const types = fc.constantFrom(
        'control_request',
        'control_response',
        'control_cancel_request',
        'keep_alive',
        'x',
        null,
      );
      const anyFrame = fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            type: types,
            request_id: fc.jsonValue(),
            request: fc.jsonValue(),
            response: fc.oneof(
              fc.jsonValue(),
              fc.record({
                request_id: fc.oneof(fc.string(), fc.jsonValue()),
                pending_permission_requests: fc.jsonValue(),
                error: fc.jsonValue(),
              }),
            ),
          },
          { requiredKeys: [] },
        ),
      );
      fc.assert(
        fc.property(anyFrame, (value) => {
          const frame = decodeFrame(JSON.stringify(value));
          if ('requestId' in frame) expect(frame.requestId).toBeTypeOf('string');
        }),
        propertyOptions(300),
      );
    });

    it('takes a reply that lists more open requests than a call has arguments', () => {
      const pending_permission_requests = Array.from({ length: 150_000 }, () => ({}));
      const response = { subtype: 'success', request_id: 'r', pending_permission_requests };
      const frame = decodeFrame(JSON.stringify({ type: 'control_response', response }));
      expect(frame).toMatchObject({ kind: 'success', pending: { length: 150_000 } });
    });
  });

  it('keeps a character whole that is cut between its bytes', () => {
    const bytes = Buffer.from('{"text":"é✓😀"}\n');
    for (let at = 1; at < bytes.length; at += 1) {
      expect(linesOf(split([bytes.subarray(0, at), bytes.subarray(at)]))).toEqual(['{"text":"é✓😀"}']);
    }
  });

  it('delivers a last line without a line feed at the end, and only once', () => {
    const lines: string[] = [];
    const splitter = createLineSplitter({ onLine: (text) => lines.push(text), onOversized: () => {} });
    splitter.push(Buffer.from('first\nlast'));
    expect(lines).toEqual(['first']);
    splitter.end();
    splitter.end();
    expect(lines).toEqual(['first', 'last']);
  });

  it.each([
    ['a carriage return cut off from its line feed', ['a\r', '\nb\r\n'], ['a', 'b']],
    ['two carriage returns: one is part of the line', ['a\r\r\n'], ['a\r']],
    ['a carriage return inside a line', ['a\rb\n'], ['a\rb']],
    ['blank lines', ['\n\r\n \t\n\u00a0\n\na\n\n'], ['a']],
    ['a byte order mark cut in two', ['\uFEFF{}\n\uFEFF{}\n'], ['{}', '\uFEFF{}']],
    ['a lone byte order mark', ['\uFEFF\na\n'], ['a']],
    ['a line separator that is not a line feed', ['a\u2028b\u0085c\n'], ['a\u2028b\u0085c']],
    ['nothing', [''], []],
  ])('handles %s', (_, texts, expected) => {
    const bytes = Buffer.from(texts.join(''));
    expect(linesOf(split(texts.map((text) => Buffer.from(text))))).toEqual(expected);
    expect(linesOf(split(cut(bytes, [1])))).toEqual(expected);
  });

  it('reads a view into a larger buffer by its own bounds', () => {
    const whole = new TextEncoder().encode('xxa\nb\nyy');
    expect(linesOf(split([whole.subarray(2, 6)]))).toEqual(['a', 'b']);
  });

  it('reports an oversized line when it has passed and goes on with the next', () => {
    const seen: unknown[] = [];
    const splitter = createLineSplitter({
      maxLineBytes: 4,
      onLine: (text) => seen.push(text),
      onOversized: (dropped) => seen.push(dropped),
    });
    splitter.push(Buffer.from('123'));
    splitter.push(Buffer.from('45'));
    splitter.push(Buffer.from('6'));
    expect(seen).toEqual([]);
    splitter.push(Buffer.from('7\nnext\n12345'));
    expect(seen).toEqual([{ bytes: 7 }, 'next']);
    splitter.end();
    expect(seen).toEqual([{ bytes: 7 }, 'next', { bytes: 5 }]);
  });

  it('holds no bytes of a line that is already over the limit', () => {
    const seen: unknown[] = [];
    const splitter = createLineSplitter({
      maxLineBytes: 1024,
      onLine: (text) => seen.push(text),
      onOversized: (dropped) => seen.push(dropped),
    });
    const before = measureHeldMemory();
    const rounds = 100;
    for (let round = 0; round < rounds; round += 1) splitter.push(Buffer.alloc(1024 * 1024, 'x'));
    // Kept chunks would show as 100 MiB.
    expect(measureHeldMemory() - before).toBeLessThan(10 * 1024 * 1024);
    splitter.push(Buffer.from('\nok\n'));
    expect(seen).toEqual([{ bytes: rounds * 1024 * 1024 }, 'ok']);
  });

  it('takes a line of many chunks', () => {
    const text = 'é'.repeat(4 * 1024 * 1024);
    const lines = linesOf(split(cut(Buffer.from(`${text}\nnext\n`), [1021])));
    expect(lines.length).toBe(2);
    expect(lines[0] === text).toBe(true);
  });
});

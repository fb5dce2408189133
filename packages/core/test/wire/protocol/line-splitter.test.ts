import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/wire/protocol/line-splitter.js';
import type { UndecodedPiece } from '../../../src/wire/protocol/piece-run.js';
import { decodeFrame, withoutPadding, type Frame } from '../../../src/wire/protocol/codec.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
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

describe('the pieces of a streamed answer', () => {
  interface PieceFacts {
    text?: string;
    kind?: [type: string, field: string];
    index?: number;
    parent?: string | null;
    session?: string;
    uuid?: string;
  }
  let count = 0;
  const nextUuid = (): string => `57ea3000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
  const pieceOf = ({
    text = 'some words',
    kind: [type, field] = ['text_delta', 'text'],
    index = 0,
    parent = null,
    session = 'session-1',
    uuid = nextUuid(),
  }: PieceFacts = {}): string =>
    JSON.stringify({
      type: 'stream_event',
      event: { type: 'content_block_delta', index, delta: { type, [field]: text } },
      session_id: session,
      parent_tool_use_id: parent,
      uuid,
    });

  /** What the lines mean, read as they come; and which of them came as pieces. */
  function follow(bytes: Uint8Array, sizes?: readonly number[]): { frames: Frame[]; pieces: string[] } {
    const frames: Frame[] = [];
    const pieces: string[] = [];
    const splitter = createLineSplitter({
      onLine: (text) => frames.push(decodeFrame(text)),
      onPiece: (piece) => {
        const message = piece.read();
        frames.push(message ? { kind: 'message', message } : decodeFrame(piece.line));
        pieces.push(piece.line);
        expect(piece.bytes).toHaveLength(piece.length);
        expect(piece.bytes.toString()).toBe(piece.line);
        return true;
      },
      onOversized: () => {},
    });
    for (const chunk of sizes ? cut(bytes, sizes) : [bytes]) splitter.push(chunk);
    splitter.end();
    return { frames, pieces };
  }
  const followLines = (lines: readonly string[]): ReturnType<typeof follow> =>
    follow(Buffer.from(`${lines.join('\n')}\n`));

  it('mean the same as their lines, however they are mixed, broken and cut', () => {
    const anyOf = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
    const anyPiece = fc.record({
      text: fc.oneof(fc.constantFrom('', 'é✓😀', '"\\\n\u2028', 'x'.repeat(300)), anyText),
      kind: anyOf<[string, string]>(['text_delta', 'text'], ['input_json_delta', 'partial_json']),
      index: anyOf(0, 0, 0, 1),
      parent: anyOf(null, null, 'toolu_1'),
    });
    const anyDamage = anyOf<(line: string) => string>(
      (line) => line,
      (line) => line,
      (line) => line,
      (line) => `${line}\r`,
      (line) => `${line}\0`,
      (line) => line.slice(0, -1),
      (line) => line.slice(1),
      (line) => line.replace('":"', '":"\t'),
      (line) => line.replace(/""}}/, '"}}'),
      (line) => line.replace(/"}}/, '}}'),
      (line) => line.replace(/"(\w+)":"some/, '"$1":"\\some'),
      (line) => line.replace('-8000-0', '-8000-"'),
      (line) => line.replace('-8000-0', '-8000-é'),
      (line) => line.replace('"uuid"', '"more":[1],"uuid"'),
      (line) => line.replace(/}$/, ',"last":1}'),
      (line) => line.replace(/}$/, ',"last":1}'),
      (line) => line.replace(/}$/, ',"uuid":"other"}'),
      (line) => line.replace(/}$/, ',"type":"other"}'),
      (line) => line.replace(/"delta":({[^}]*})/, '"delta":$1,"delta":{"type":"other"}'),
      () => JSON.stringify({ type: 'assistant', message: {} }),
      () => '{"type":"keep_alive"}',
      () => '',
    );
    const anyLine = fc.tuple(anyPiece, anyDamage).map(([facts, damage]) => damage(pieceOf(facts)));
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), anySizes, (lines, sizes) => {
        const bytes = Buffer.from(lines.join('\n'));
        const expected = linesOf(split([bytes])).map((line) => decodeFrame(line));
        expect(follow(bytes).frames).toEqual(expected);
        expect(follow(bytes, sizes).frames).toEqual(expected);
      }),
      propertyOptions(200),
    );
  });

  it('mean the same where their bytes are no text', () => {
    const [before, after] = pieceOf({ text: '|' }).split('|') as [string, string];
    const anyBytes = fc.array(fc.constantFrom(0x41, 0x22, 0x5c, 0x1f, 0x7f, 0xc3, 0xa9, 0xe2, 0xf0, 0xff));
    fc.assert(
      fc.property(fc.array(anyBytes, { maxLength: 5 }), (texts) => {
        const bytes = Buffer.concat(
          [[0x41], ...texts].flatMap((text) => [before, text, after, '\n']).map((part) => Buffer.from(part)),
        );
        const expected = linesOf(split([bytes])).map((line) => decodeFrame(line));
        expect(follow(bytes).frames).toEqual(expected);
      }),
      propertyOptions(200),
    );
  });

  it.each<[string, PieceFacts]>([
    ['text', {}],
    ['input of a tool', { kind: ['input_json_delta', 'partial_json'] }],
    ['thoughts of a subagent', { kind: ['thinking_delta', 'thinking'], parent: 'toolu_1', index: 12 }],
  ])('are offered undecoded behind the first of a run: %s', (_, facts) => {
    const lines = ['a', '', 'é✓😀', '"quoted" \\ and \n more', 'x'.repeat(3000)].map((text) =>
      pieceOf({ ...facts, text }),
    );
    const { frames, pieces } = followLines(lines);
    expect(pieces).toEqual(lines.slice(1));
    expect(frames).toEqual(lines.map((line) => ({ kind: 'message', message: JSON.parse(line) as unknown })));
    // The same keys in the same order: a program may print or sign a message.
    expect(frames.map((frame) => frame.kind === 'message' && JSON.stringify(frame.message))).toEqual(lines);
  });

  it.each<[string, (piece: string) => string]>([
    ['of another block', () => pieceOf({ index: 1 })],
    ['of another kind', () => pieceOf({ kind: ['thinking_delta', 'thinking'] })],
    ['of a subagent', () => pieceOf({ parent: 'toolu_1' })],
    ['of another session', () => pieceOf({ session: 'session-2' })],
    ['with a longer uuid', () => pieceOf({ uuid: `${nextUuid()}0` })],
    [
      'with fields in another order',
      (piece) => piece.replace(/,"parent_tool_use_id":null(.*)}$/, '$1,"parent_tool_use_id":null}'),
    ],
    ['with a field more', (piece) => piece.replace('}},', '}},"more":1,')],
    ['with a field more at the end', (piece) => piece.replace(/}$/, ',"more":1}')],
    ['with padding', (piece) => `${piece}\0`],
    ['with a blank behind it', (piece) => `${piece} `],
  ])('are lines where they are not like the one before: %s', (_, change) => {
    expect(followLines([pieceOf(), change(pieceOf())]).pieces).toEqual([]);
  });

  it('are lines again behind any other message', () => {
    const lines = [pieceOf(), pieceOf(), '{"type":"x"}', pieceOf(), pieceOf()];
    expect(followLines(lines).pieces).toEqual([lines[1], lines[4]]);
  });

  it('with fields nobody knows are a run as well, if those stay the same', () => {
    const lines = [1, 2, 3].map(() =>
      pieceOf()
        .replace('"uuid"', '"agent":"a-1","depth":2,"uuid"')
        .replace(/}$/, ',"api_message_id":"msg_1"}'),
    );
    const { frames, pieces } = followLines(lines);
    expect(pieces).toEqual(lines.slice(1));
    expect(frames[2]).toEqual({ kind: 'message', message: JSON.parse(lines[2] as string) as unknown });
  });

  it.each([
    ['a single quote for its text', '""}}', '"}}'],
    ['no text', '""}}', '}}'],
    ['another value for its text', '""}}', '1}}'],
  ])('are decoded as lines with %s', (_, text, damage) => {
    const line = pieceOf({ text: '' }).replace(text, damage);
    expect(followLines([pieceOf(), line]).frames[1]).toEqual(decodeFrame(line));
  });

  it('that are refused come as lines, and the run goes on', () => {
    const lines = [1, 2, 3, 4].map(() => pieceOf());
    const seen: string[] = [];
    const splitter = createLineSplitter({
      onLine: (text) => seen.push(`line ${text}`),
      onPiece: (piece) => piece.line !== lines[2] && seen.push(`piece ${piece.line}`) > 0,
      onOversized: () => {},
    });
    splitter.push(Buffer.from(`${lines.join('\n')}\n`));
    expect(seen).toEqual([`line ${lines[0]}`, `piece ${lines[1]}`, `line ${lines[2]}`, `piece ${lines[3]}`]);
  });

  it('and a line over the limit in one chunk do not disturb each other', () => {
    const lines = [pieceOf(), pieceOf(), pieceOf({ text: 'x'.repeat(1000) }), pieceOf()];
    const seen: unknown[] = [];
    const splitter = createLineSplitter({
      maxLineBytes: 500,
      onLine: (text) => seen.push(text),
      onPiece: (piece) => seen.push(piece.line) > 0,
      onOversized: ({ bytes }) => seen.push(bytes),
    });
    splitter.push(Buffer.from(`${lines.join('\n')}\n`));
    expect(seen).toEqual([lines[0], lines[1], lines[2]?.length, lines[3]]);
  });

  it('leave nothing of their chunk in memory once they are read', () => {
    const kept: unknown[] = [];
    const splitter = createLineSplitter({
      onLine: () => {},
      onPiece: (piece: UndecodedPiece) => kept.push(piece.read()) > 0,
      onOversized: () => {},
    });
    splitter.push(Buffer.from(`${pieceOf()}\n`));
    const rest = Buffer.from(`${JSON.stringify({ type: 'x', filler: 'y'.repeat(1024 * 1024) })}\n`);
    const before = measureHeldMemory();
    for (let round = 0; round < 15; round += 1) {
      const pieces = Buffer.from(`${pieceOf({ text: 'a text that is worth keeping' })}\n`.repeat(2));
      splitter.push(Buffer.concat([pieces, rest]));
    }
    expect(kept.length).toBeGreaterThan(10);
    // Kept chunks would show as 15 MiB.
    expect(measureHeldMemory() - before).toBeLessThan(5 * 1024 * 1024);
  });
});

describe('a line of more than a megabyte', () => {
  const long = `{"text":"${'é 😀 €'.repeat(200_000)}"}`;

  it.each([1, 3, 65_536])('is the same as any other, in chunks of %d bytes', (size) => {
    const text = size < 10 ? `\ufeff${long.slice(0, 500_000)}"}` : `\ufeff${long}`;
    const bytes = Buffer.from(`${text}\r\n{"a":1}\n${text.slice(1)}\n`);
    expect(linesOf(split(cut(bytes, [size])))).toEqual([text.slice(1), '{"a":1}', text.slice(1)]);
  });

  it('is decoded as it comes, not as a whole', () => {
    const bytes = Buffer.from(`${long}\n`);
    const decoded: number[] = [];
    const toString = Buffer.prototype.toString;
    Buffer.prototype.toString = function (...given: never[]): string {
      const text = toString.apply(this, given);
      decoded.push(text.length);
      return text;
    };
    try {
      expect(linesOf(split(cut(bytes, [65_536])))).toEqual([long]);
    } finally {
      Buffer.prototype.toString = toString;
    }
    expect(Math.max(...decoded)).toBeLessThan(1_200_000);
  });

  it('is dropped beyond the limit, and what follows is not', () => {
    const bytes = Buffer.from(`${long}\n{"a":1}\n`);
    expect(split(cut(bytes, [65_536]), 1_500_000)).toEqual([
      { oversized: bytes.length - 9 },
      { line: '{"a":1}' },
    ]);
  });

  it('may have bytes that are no UTF-8, and end without a line feed', () => {
    const bytes = Buffer.concat([Buffer.from(`"${'x'.repeat(1_200_000)}`), Buffer.from([0xff, 0xe2, 0x82])]);
    expect(linesOf(split(cut(bytes, [65_536])))).toEqual([bytes.toString('utf8')]);
  });
});

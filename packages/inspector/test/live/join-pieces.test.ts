// Pieces of streamed blocks, joined.
import { describe, expect, it } from 'vitest';
import type { JoinedPieces } from '../../src/stream/inspector-event.js';
import { PieceJoiner, pieceOf } from '../../src/stream/join-pieces.js';

const delta = (fields: object, index = 0, parent: string | null = null) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index, delta: fields },
  parent_tool_use_id: parent,
});

describe('pieceOf', () => {
  it('reads texts, thoughts and inputs, and nothing else', () => {
    const text = delta({ type: 'text_delta', text: 'Hi' }, 2, 'toolu_1');
    expect(pieceOf(text)).toEqual({ parent: 'toolu_1', index: 2, kind: 'text', text: 'Hi' });
    expect(pieceOf(delta({ type: 'thinking_delta', thinking: 'Hm' }))).toMatchObject({
      kind: 'thinking',
      text: 'Hm',
    });
    expect(pieceOf(delta({ type: 'input_json_delta', partial_json: '{"a' }))).toMatchObject({
      kind: 'input',
      text: '{"a',
    });
    expect(pieceOf(delta({ type: 'signature_delta', signature: 'x' }))).toBeUndefined();
    expect(pieceOf(delta({ type: 'constructor', text: 'x' }))).toBeUndefined();
    expect(pieceOf({ type: 'stream_event', event: { type: 'message_stop' } })).toBeUndefined();
    expect(pieceOf({ type: 'assistant' })).toBeUndefined();
    expect(pieceOf('text')).toBeUndefined();
  });
});

describe('PieceJoiner', () => {
  const join = (pieces: readonly [number, number, string][]): JoinedPieces[] => {
    const joined: JoinedPieces[] = [];
    const joiner = new PieceJoiner((each) => joined.push(each));
    for (const [t, index, text] of pieces) joiner.add(t, { parent: null, index, kind: 'text', text });
    joiner.flush();
    return joined;
  };

  it('joins what comes within a tenth of a second, block by block', () => {
    const joined = join([
      [0, 0, 'a'],
      [50, 0, 'b'],
      [60, 1, 'x'],
      [100, 0, 'c'],
      [101, 0, 'd'],
    ]);
    expect(joined).toMatchObject([
      { t: 0, index: 0, text: 'abc', count: 3 },
      { t: 60, index: 1, text: 'x', count: 1 },
      { t: 101, index: 0, text: 'd', count: 1 },
    ]);
  });

  it('loses nothing and keeps the order of times', () => {
    const pieces = Array.from({ length: 1000 }, (_, n): [number, number, string] => [n * 3, n % 2, `${n},`]);
    const joined = join(pieces);
    for (const index of [0, 1]) {
      const text = joined.filter((each) => each.index === index).map((each) => each.text);
      expect(text.join('')).toBe(
        pieces
          .filter(([, at]) => at === index)
          .map(([, , each]) => each)
          .join(''),
      );
    }
    expect(joined.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    expect(joined.map(({ t }) => t)).toEqual(joined.map(({ t }) => t).sort((one, other) => one - other));
    expect(joined.length).toBeLessThan(70);
  });
});

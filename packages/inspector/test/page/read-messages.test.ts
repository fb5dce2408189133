// Server-sent events, however they are cut on their way.
import { expect, it } from 'vitest';
import { createMessageReader } from '../../src/page/source/read-messages.js';

const TEXT = [
  'retry: 1000\n\n',
  'event: state\ndata: {"a": "b: c"}\n\n',
  ':\n\n',
  'id: 7\nevent: event\ndata: 7 s {"type":"x"}\n\n',
  'event: settled\ndata: {}\n\n',
].join('');
const MESSAGES = [
  { name: 'state', id: '', data: '{"a": "b: c"}' },
  { name: 'event', id: '7', data: '7 s {"type":"x"}' },
  { name: 'settled', id: '7', data: '{}' },
];

it('are the same wherever the text is cut', () => {
  for (let first = 0; first <= TEXT.length; first += 1)
    for (const second of [first, first + 1, first + 5]) {
      const read = createMessageReader();
      const pieces = [TEXT.slice(0, first), TEXT.slice(first, second), TEXT.slice(second)];
      expect(pieces.flatMap(read), `cut at ${first} and ${second}`).toEqual(MESSAGES);
    }
  const read = createMessageReader();
  expect(TEXT.split('').flatMap((letter) => read(letter))).toEqual(MESSAGES);
});

it('are not given before they are whole', () => {
  const read = createMessageReader();
  expect(read('event: state\ndata: {}\n')).toEqual([]);
  expect(read('')).toEqual([]);
  expect(read('\nevent: sta')).toEqual([{ name: 'state', id: '', data: '{}' }]);
});

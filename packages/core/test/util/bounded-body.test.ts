import { expect, it } from 'vitest';
import { BoundedBody } from '../../src/util/bounded-body.js';

it('puts pieces together, also where a character is cut in two', () => {
  const body = new BoundedBody(100);
  for (const byte of Buffer.from('{"a":"é€😀"}')) body.add(Uint8Array.of(byte));
  expect(body.end()).toBe('{"a":"é€😀"}');
});

it('takes exactly as many bytes as it may, and gives nothing of more', () => {
  const body = new BoundedBody(4);
  body.add(Buffer.from('abcd'));
  expect([body.isTooLong, body.end()]).toEqual([false, 'abcd']);
  const longer = new BoundedBody(4);
  longer.add(Buffer.from('abcd'));
  longer.add(Buffer.from('e'));
  longer.add(Buffer.from('fgh'));
  expect([longer.isTooLong, longer.bytes, longer.end()]).toEqual([true, 8, undefined]);
});

it('is empty where nothing came', () => {
  expect(new BoundedBody(0).end()).toBe('');
});

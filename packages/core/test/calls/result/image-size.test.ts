// Sizes from the headers of real images, and from headers that are damaged.
import { describe, expect, it } from 'vitest';
import { readImageSize } from '../../../src/calls/result/image-size.js';
import { pngOf } from './make-png.js';

const GIF = Buffer.from('GIF89a\x32\0\x28\0\0\0', 'latin1');
const LOSSY = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');
const LOSSLESS = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f', 'latin1'),
  Buffer.from([49, 0xc0, 9, 0, 0, 0, 0, 0, 0]),
]);
const EXTENDED = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from([49, 0, 0, 39, 0, 0]),
]);
const FRAME = Buffer.from('ffc0000b0800280032010111000000', 'hex');
const JPEG = Buffer.concat([
  Buffer.from('ffd8ffe000040000', 'hex'),
  Buffer.from('ffff', 'hex'),
  FRAME.subarray(1),
]);
const PROGRESSIVE = Buffer.concat([Buffer.from('ffd8ffc400040000ffc2', 'hex'), FRAME.subarray(2)]);

describe('readImageSize', () => {
  it.each([
    ['image/png', Buffer.from(pngOf(50, 40), 'base64'), { width: 50, height: 40 }],
    ['image/gif', GIF, { width: 50, height: 40 }],
    ['image/webp', LOSSY, { width: 1, height: 1 }],
    ['image/webp', LOSSLESS, { width: 50, height: 40 }],
    ['image/webp', EXTENDED, { width: 50, height: 40 }],
    ['image/jpeg', JPEG, { width: 50, height: 40 }],
    ['image/jpeg', PROGRESSIVE, { width: 50, height: 40 }],
  ])('reads a %s', (mimeType, bytes, size) => {
    expect(readImageSize(bytes, mimeType)).toEqual(size);
  });

  it.each([
    ['image/png', Buffer.from(pngOf(50, 40), 'base64').subarray(0, 23)],
    ['image/png', Buffer.from(pngOf(0, 40), 'base64')],
    ['image/gif', GIF.subarray(0, 9)],
    ['image/webp', LOSSY.subarray(0, 29)],
    ['image/webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP9 ', 'latin1'), Buffer.alloc(20)])],
    ['image/jpeg', JPEG.subarray(0, 12)],
    ['image/jpeg', Buffer.from('ffd8000000000000000000000000', 'hex')],
    // A segment of no length must not be read for ever.
    ['image/jpeg', Buffer.concat([Buffer.from('ffd8ffe00000', 'hex'), Buffer.alloc(40)])],
    ['image/bmp', Buffer.alloc(100)],
    [undefined, Buffer.alloc(100)],
  ])('finds none in a damaged %s', (mimeType, bytes) => {
    expect(readImageSize(bytes, mimeType)).toBeUndefined();
  });
});

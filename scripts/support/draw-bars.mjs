// A small bar chart as a PNG, for tools that return a picture. Plain Node: a palette, rows of pixels, deflate.
import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 360;
const HEIGHT = 180;
const PALETTE = [
  [250, 249, 247],
  [122, 90, 240],
  [227, 223, 216],
];

/** The chart of some numbers, from left to right. */
export function drawBars(values) {
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  const highest = Math.max(...values);
  const step = (WIDTH - 40) / values.length;
  const paint = (left, top, right, bottom, colour) => {
    for (let y = top; y < bottom; y += 1)
      rows.fill(colour, y * (WIDTH + 1) + 1 + left, y * (WIDTH + 1) + 1 + right);
  };
  for (let line = 0; line < 4; line += 1) paint(16, 20 + line * 40, WIDTH - 16, 21 + line * 40, 2);
  for (const [index, value] of values.entries()) {
    const left = Math.round(20 + index * step + step * 0.15);
    paint(left, Math.round(160 - (value / highest) * 130), Math.round(left + step * 0.7), 160, 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(PALETTE.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

// The line that says what a person waits for.
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { StatusLine } from '../src/terminal/status-line.js';
import type { Terminal } from '../src/terminal/terminal.js';

function drawOn(stderr: { isTTY?: boolean; columns?: number }): string {
  let written = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const status = new StatusLine({ env: {}, stderr: Object.assign(stream, stderr) } as unknown as Terminal);
  status.set('Starting the Claude CLI');
  status.set(undefined);
  return written;
}

it('is cut to the width of the terminal, where that is known', () => {
  expect(drawOn({ isTTY: true, columns: 10 })).toContain('| Startin');
  expect(drawOn({ isTTY: true, columns: 10 })).not.toContain('Starting');
  // Some terminals have no size.
  expect(drawOn({ isTTY: true, columns: 0 })).toContain('| Starting the Claude CLI\r');
  expect(drawOn({ isTTY: true })).toContain('| Starting the Claude CLI\r');
});

it('is not there in a pipe', () => {
  expect(drawOn({})).toBe('');
});

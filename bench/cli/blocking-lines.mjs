// The fake CLI's two pipes, read and written with blocking system calls: no event loop stands between the measured host and
// the answer, and a wait for the host is a wait of the kernel's.
import { readSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 256 * 1024;
const PAUSE_MS = 1;

const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Whole lines that were received and not yet taken; the first is at `next`. */
let lines = [];
let next = 0;
let rest = '';

/** The next line, waiting for it; undefined once the host has ended the input. */
export function takeLine() {
  while (next === lines.length) if (!receive()) return undefined;
  next += 1;
  return lines[next - 1];
}

/** Whether a line is there already. */
export function hasLine() {
  return next < lines.length;
}

/** Reads what there is, waiting for something; false at the end of the input. */
function receive() {
  const length = readChunk();
  if (length === 0) return false;
  // One byte a character: quicker than UTF-8, and everything that is looked for is ASCII.
  const parts = (rest + chunk.latin1Slice(0, length)).split('\n');
  rest = parts.pop();
  lines = parts;
  next = 0;
  return true;
}

/** Reads into a buffer of this module's and gives the number of bytes; 0 at the end of the input. */
function readChunk() {
  for (;;) {
    try {
      return readSync(0, chunk, 0, CHUNK_BYTES, null);
    } catch (error) {
      if (error.code === 'EAGAIN') Atomics.wait(sleeper, 0, 0, PAUSE_MS);
      else if (error.code === 'EOF' || error.code === 'ECONNRESET') return 0;
      else throw error;
    }
  }
}

/** Waits for the end of one line and gives its length; for lines too long to be kept. Nothing may be there before it. */
export function skipLine() {
  if (hasLine() || rest !== '') throw new Error('There is input before the line that is to be skipped.');
  let total = 0;
  for (;;) {
    const length = readChunk();
    if (length === 0) throw new Error('The input ended in a long line.');
    total += length;
    if (chunk[length - 1] === 10) return total;
  }
}

/** Writes all of it, waiting for room; a host that has gone ends this process. */
export function writeAll(bytes) {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(1, bytes, written, bytes.length - written);
    } catch (error) {
      if (error.code === 'EAGAIN') Atomics.wait(sleeper, 0, 0, PAUSE_MS);
      else if (error.code === 'EPIPE' || error.code === 'ECONNRESET') process.exit(0);
      else throw error;
    }
  }
}

/** Writes a message as a line. */
export function send(message) {
  writeAll(Buffer.from(`${JSON.stringify(message)}\n`));
}

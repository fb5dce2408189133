// Reads the messages of a client from the standard input, one per line. A message that is too long is answered with an
// error and dropped. If the library received such a message, it would end the server.
import { Transform } from 'node:stream';
import { parseRecord } from '@inboard/core/util/guards.js';
import { createLineSplitter } from '@inboard/core/wire/protocol/line-splitter.js';

/** The longest message that is passed on, in bytes. This is the library's own limit. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** The longest message that is parsed to find its id, in bytes. A longer one is dropped unread. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const INVALID_REQUEST = -32600;

/**
 * Passes lines on, except those that are too long. For such a line, `answer` gets the reply to the client, and `note`
 * gets a line for the user.
 */
export function createBoundedInput(answer: (reply: object) => void, note: (line: string) => void): Transform {
  const refuse = (bytes: number, message: Record<string, unknown> = { method: '' }): void => {
    const problem = `The message has ${bytes} bytes, and this server takes at most ${MAX_MESSAGE_BYTES}`;
    note(`${problem}. It was left out.`);
    // Notifications and answers to our own requests get no reply. A message that was not parsed gets a reply without an id.
    const { id = null, method } = message;
    if (method === undefined || (id === null && method !== '')) return;
    answer({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: problem } });
  };
  const splitter = createLineSplitter({
    maxLineBytes: MAX_READ_BYTES,
    onLine: (line) => {
      const bytes = Buffer.byteLength(line);
      if (bytes > MAX_MESSAGE_BYTES) refuse(bytes, parseRecord(line));
      else lines.push(`${line}\n`);
    },
    onOversized: ({ bytes }) => refuse(bytes),
  });
  const lines = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      splitter.push(chunk);
      done();
    },
    flush: (done) => {
      splitter.end();
      done();
    },
  });
  return lines;
}

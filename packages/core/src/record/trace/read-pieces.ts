// Reads the bytes of a file piece by piece, also of a pipe, without delaying the end of the process.
import { constants, createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { sleep } from '../../util/timers.js';

const PIECE_BYTES = 64 * 1024;

/** How often an empty pipe is read again, in milliseconds. */
const PIPE_POLL_MS = 25;

/**
 * How long to wait for a pipe's first writer. A pipe without a writer so far looks like one whose writer has left
 * without a byte.
 */
const FIRST_WRITER_MS = 30_000;

/**
 * Rejects where the file cannot be read, where a pipe has no writer for half a minute, and with the reason of the
 * signal once that aborts.
 */
export async function* readPieces(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const { O_NONBLOCK } = constants;
  const facts = await stat(file);
  if (O_NONBLOCK !== undefined && !facts.isFile() && !facts.isDirectory()) {
    // Only a named pipe can be opened before it has a writer.
    const awaitsWriter = facts.isFIFO() && !/^\/(?:dev|proc)\//.test(file);
    yield* readPipe(file, { flags: constants.O_RDONLY | O_NONBLOCK, awaitsWriter, signal });
    return;
  }
  const stream = createReadStream(file);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      yield piece;
    }
  } finally {
    stream.destroy();
  }
}

// A thread that waits in the system for a pipe cannot be cancelled, and process.exit() waits for it. So nothing waits
// there: an empty pipe is read again later.
async function* readPipe(
  file: string,
  { flags, awaitsWriter, signal }: { flags: number; awaitsWriter: boolean; signal: AbortSignal | undefined },
): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(file, flags);
  let hasBegun = !awaitsWriter;
  const openedAt = performance.now();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await handle
        .read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, null)
        .catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EAGAIN') throw error;
          return { bytesRead: undefined, buffer: Buffer.alloc(0) };
        });
      if (bytesRead === 0) {
        if (hasBegun) return;
        if (performance.now() - openedAt >= FIRST_WRITER_MS)
          throw new Error(
            `it is a pipe, and nobody has written to it for ${FIRST_WRITER_MS / 1000} seconds. Start the program that writes to it first.`,
          );
        await sleep(PIPE_POLL_MS);
        continue;
      }
      // The pipe has a writer, even if there is nothing to read at the moment.
      hasBegun = true;
      if (bytesRead === undefined) {
        await sleep(PIPE_POLL_MS);
        continue;
      }
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

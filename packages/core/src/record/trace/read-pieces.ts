// Reads the bytes of a file or a pipe piece by piece, without delaying the end of the process.
import { constants, createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { sleep } from '../../util/timers.js';

const PIECE_BYTES = 64 * 1024;

/** After how many milliseconds an empty pipe is read again. */
const PIPE_POLL_MS = 25;

/**
 * How long to wait for a pipe's first writer. A pipe that has no writer yet looks like a pipe whose writer has left
 * without writing.
 */
const FIRST_WRITER_MS = 30_000;

/**
 * Reads a file or a pipe to its end. Rejects when the file cannot be read, and when a named pipe gets no writer in half a
 * minute. When the signal aborts, rejects with its reason.
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

// A thread that waits in the system for a pipe cannot be cancelled, and process.exit() waits for that thread. So no read
// waits for data: an empty pipe is read again later.
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

// The bytes of a file, piece by piece; also of a pipe, in a way that never holds up the end of the process.
import { constants, createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { sleep } from '../../util/timers.js';

const PIECE_BYTES = 64 * 1024;

/** How often a pipe that has nothing to read is asked again. */
const PIPE_POLL_MS = 25;

/** A pipe that nobody has opened yet looks like one whose writer has opened and left it without a byte: one cannot wait for ever. */
const FIRST_WRITER_MS = 30_000;

/** Rejects where the file cannot be read, or nobody writes to a pipe for half a minute, and with the reason of the signal once that aborts. */
export async function* readPieces(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const { O_NONBLOCK } = constants;
  const facts = await stat(file);
  if (O_NONBLOCK !== undefined && !facts.isFile() && !facts.isDirectory()) {
    // Only a pipe with a name of its own can be opened before somebody writes to it.
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

// A thread that waits in the system for a pipe cannot be called back, and process.exit() waits for it. So nothing waits
// there: what has nothing to read is asked again.
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
      // There is somebody at the other end, also where there is nothing to read at the moment.
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

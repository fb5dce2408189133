// One reader of an answer: from a place in its log to the end of the answer, or until it waits for people. Reads ahead of its
// connection by nothing, so that a slow one costs no memory.
import { encodeChunk, KEEP_ALIVE } from '../stream/event-text.js';
import type { UiChunk } from '../stream/ui-chunk.js';
import type { ChatRun } from './chat-run.js';
import type { WebStream } from '../stream/web-stream.js';

/** Milliseconds of silence after which a line without a meaning tells proxies that the connection is alive. */
const KEEP_ALIVE_MS = 15_000;

const LOST: UiChunk = {
  type: 'error',
  errorText: 'The beginning of this answer could not be kept. Reload the page when it is complete.',
};

/** Where a reader begins, and when it ends. */
export interface RunReaderOptions {
  /** Behind this entry of the log. Default 0: from the start. */
  after?: number | undefined;
  /** Goes on over questions, until the answer is over. Default false. */
  follow?: boolean | undefined;
  /** Chunks behind `start` that only this reader needs. */
  before?: readonly UiChunk[] | undefined;
}

/** The events of an answer, as text. */
export function readRun(
  run: ChatRun,
  { after = 0, follow = false, before = [] }: RunReaderOptions = {},
): WebStream<string> {
  let place = { after, offset: 0 };
  let waiting = [{ type: 'start', messageId: run.messageId } as UiChunk, ...before].map(encodeChunk);
  let isOver = false;
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));

  /** Gives the next events; none where the reader was told to look again. */
  async function next(): Promise<string[]> {
    const { change } = run.log;
    // Before the log is read: what comes meanwhile is a change.
    const { isOver: isRunOver, isWaiting } = run;
    const read = await run.log.read(place);
    if (!read) {
      isOver = true;
      return [encodeChunk(LOST)];
    }
    place = read.place;
    if (read.chunks.length > 0) return read.chunks.map(frame);
    if (isRunOver) isOver = true;
    else if (isWaiting && !follow) {
      isOver = true;
      return [encodeChunk({ type: 'finish', finishReason: 'tool-calls' })];
    } else if (!(await changes(change, left))) return [KEEP_ALIVE];
    return [];
  }

  return new ReadableStream<string>(
    {
      async pull(controller) {
        while (waiting.length === 0 && !isOver) waiting = await next();
        for (const event of waiting.splice(0)) controller.enqueue(event);
        if (isOver) controller.close();
      },
      cancel() {
        isOver = true;
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Whether something changed before it was time for a sign of life. */
async function changes(change: Promise<void>, left: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), KEEP_ALIVE_MS);
  });
  const changed = Promise.race([change, left]).then(() => true);
  try {
    return await Promise.race([changed, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function frame(json: string): string {
  return `data: ${json}\n\n`;
}

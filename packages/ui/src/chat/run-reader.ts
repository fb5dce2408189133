// One reader of an answer. It reads from a place in the log to the end of the answer, or until the answer waits for people. It
// never reads ahead of its connection, so a slow connection costs no memory.
import { encodeChunk, KEEP_ALIVE } from '../stream/event-text.js';
import type { UiChunk } from '../stream/ui-chunk.js';
import type { ChatRun } from './chat-run.js';
import type { WebStream } from '../stream/web-stream.js';

/** After this many milliseconds of silence, a comment line tells proxies that the connection is alive. */
const KEEP_ALIVE_MS = 15_000;

const LOST: UiChunk = {
  type: 'error',
  errorText: 'The beginning of this answer could not be kept. Reload the page when it is complete.',
};

/** Where a reader begins, and when it ends. */
export interface RunReaderOptions {
  /** Begins after this entry of the log. Default 0: from the start. */
  after?: number | undefined;
  /** Whether the reader goes on past questions, until the answer is over. Default false. */
  follow?: boolean | undefined;
  /** Whether the page has the message already, from the same response. Default false. */
  isBegun?: boolean | undefined;
  /** Chunks after `start` that only this reader needs. */
  before?: readonly UiChunk[] | undefined;
}

/** The events of an answer, as text. */
export function readRun(
  run: ChatRun,
  { after = 0, follow = false, isBegun = false, before = [] }: RunReaderOptions = {},
): WebStream<string> {
  let place = { after, offset: 0 };
  const start: UiChunk[] = isBegun ? [] : [{ type: 'start', messageId: run.messageId }];
  let waiting = [...start, ...before].map(encodeChunk);
  let isOver = false;
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));

  /** Gives the next events. The list is empty if the reader has to look again. */
  async function next(): Promise<string[]> {
    const { change } = run.log;
    // The state is read before the log. Whatever happens in between then counts as a change.
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

/** Whether something changed before the reader had to send a comment line. */
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

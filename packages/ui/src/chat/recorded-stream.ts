// The events of an answer that was cut off and waits for people, read from the records. A reader that follows stays until a
// session of this process goes on with the answer, and then reads the rest.
import { encodeChunk, KEEP_ALIVE } from '../stream/event-text.js';
import { AnswerTranslator } from '../stream/answer-translator.js';
import type { UiChunk } from '../stream/ui-chunk.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import type { WebStream } from '../stream/web-stream.js';
import type { CutOffAnswer } from '../history/recorded-answer.js';

/** How often a reader that follows looks whether the answer still waits, in milliseconds. */
const LOOK_EVERY_MS = 5000;

/** The chunks of an answer, up to its questions. */
function listRecordedChunks(cutOff: CutOffAnswer, options: UiStreamOptions): UiChunk[] {
  const chunks: UiChunk[] = [];
  const translator = new AnswerTranslator((chunk) => chunks.push(chunk), options);
  translator.start(cutOff.messageId);
  cutOff.tell(translator);
  cutOff.tellQuestions(translator);
  return chunks;
}

/** How a reader goes on after the questions. */
export interface RecordedFollowing {
  /** The rest of the answer, once a session of this process goes on with it. */
  findRest: () => WebStream<string> | undefined;
  /** Calls the function when there may be a rest. The returned function ends that. */
  watch: (onChange: () => void) => () => void;
  /** Whether the answer still waits, by the records. */
  isWaiting: () => Promise<boolean>;
}

/** The events of an answer. Without `following`, they end with the questions. */
export function readRecorded(
  cutOff: CutOffAnswer,
  options: UiStreamOptions,
  following?: RecordedFollowing,
): WebStream<string> {
  const finish = encodeChunk({ type: 'finish', finishReason: 'tool-calls' });
  const events = listRecordedChunks(cutOff, options).map(encodeChunk);
  if (!following) return new ReadableStream({ start: (controller) => fill(controller, [...events, finish]) });
  const follow = following;
  /** Whether an event asks a question that the page has, because the session asks it again. */
  const isAsked = (event: string): boolean =>
    event.includes('"type":"tool-approval-request"') &&
    cutOff.questions.some(({ question: { approvalId, toolCallId } }) =>
      [approvalId, toolCallId ?? approvalId].every((id) => event.includes(JSON.stringify(id))),
    );
  let rest: ReadableStreamDefaultReader<string> | undefined;
  let isOver = false;
  let wake: () => void = () => {};

  /** Whether the answer went on, or the reader left, before it is time to look at the records again. */
  async function change(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unwatch: () => void = () => {};
    try {
      return await new Promise<boolean>((resolve) => {
        wake = () => resolve(true);
        unwatch = follow.watch(wake);
        timer = setTimeout(() => resolve(false), LOOK_EVERY_MS);
      });
    } finally {
      clearTimeout(timer);
      unwatch();
    }
  }

  async function next(): Promise<string[] | undefined> {
    if (rest) {
      const { done, value } = await rest.read();
      if (done) return undefined;
      return isAsked(value) ? [] : [value];
    }
    if (await change()) {
      rest = follow.findRest()?.getReader();
      return [];
    }
    return (await follow.isWaiting()) ? [KEEP_ALIVE] : [finish];
  }

  return new ReadableStream<string>(
    {
      async pull(controller) {
        while (events.length === 0 && !isOver) {
          const more = await next();
          isOver ||= more === undefined || more.includes(finish);
          events.push(...(more ?? []));
        }
        for (const event of events.splice(0)) controller.enqueue(event);
        if (isOver) controller.close();
      },
      async cancel() {
        isOver = true;
        wake();
        await rest?.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

function fill(controller: ReadableStreamDefaultController<string>, events: readonly string[]): void {
  for (const event of events) controller.enqueue(event);
  controller.close();
}

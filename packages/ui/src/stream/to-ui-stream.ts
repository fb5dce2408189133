// Turns a query, a turn or any messages into a stream of chunks. It takes a message only when the reader asks for chunks.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import { AnswerTranslator } from './answer-translator.js';
import type { UiChunk } from './ui-chunk.js';
import type { UiStreamOptions } from './ui-stream-options.js';
import type { WebStream } from './web-stream.js';

/** The source of a stream: a query, a turn of a session, or messages from elsewhere, such as a recording. */
export type UiSource = AsyncIterable<SDKMessage>;

/** Options for the stream of one answer. */
export interface ToUiStreamOptions extends UiStreamOptions {
  /** The id of the message. Default: derived from the id of the turn, or random for other sources. */
  messageId?: string | undefined;
}

/**
 * The chunks of one answer, from `start` to `finish`, `error` or `abort`. Errors are chunks, so reading never rejects. Text
 * comes in pieces with the option `includePartialMessages`, otherwise whole. If you cancel the stream of a query, the query
 * ends. If you cancel the stream of a turn, the turn goes on. Throws for anything that is not a source.
 */
export function toUiStream(source: UiSource, options: ToUiStreamOptions = {}): WebStream<UiChunk> {
  const messages = openSource(source);
  const waiting: UiChunk[] = [];
  const translator = new AnswerTranslator((chunk) => waiting.push(chunk), options);
  translator.start(options.messageId ?? answerIdOf(isTurn(source) ? source.uuid : randomUUID()));
  let isOver = false;

  async function fill(): Promise<void> {
    try {
      const step = await messages.next();
      if (!step.done) {
        translator.take(step.value);
        return;
      }
      if (isTurn(source)) translator.measure(await source.outcome());
      translator.end();
    } catch (error) {
      translator.fail(error);
    }
    isOver = true;
  }

  return new ReadableStream<UiChunk>(
    {
      async pull(controller) {
        while (waiting.length === 0 && !isOver) await fill();
        for (const chunk of waiting.splice(0)) controller.enqueue(chunk);
        if (isOver) controller.close();
      },
      async cancel() {
        isOver = true;
        // The stream has no reader any more, so a failure of the source is ignored.
        await messages.return?.().then(undefined, () => {});
      },
    },
    // Nothing is read ahead. While the page does not read, the messages stay in the source, which limits how many it keeps.
    { highWaterMark: 0 },
  );
}

/** The id of the message that answers a user message. */
export function answerIdOf(userMessageId: string): string {
  return `answer-${userMessageId}`;
}

function openSource(source: unknown): AsyncIterator<SDKMessage> {
  if ((isRecord(source) || typeof source === 'function') && Symbol.asyncIterator in source)
    return (source as AsyncIterable<SDKMessage>)[Symbol.asyncIterator]();
  throw new InvalidOptionsError(
    ['source'],
    'A stream is made from a query, a turn, or another async iterable of messages',
  );
}

function isTurn(source: object): source is Turn {
  return 'uuid' in source && 'outcome' in source && 'mergedWith' in source;
}

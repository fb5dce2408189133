// Turns the past messages of a conversation into messages for a page. Each prompt of a person becomes one message, and the
// whole answer to it becomes another.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isSentByPerson } from '@inboard/core/record/history/transcript/prompt-text.js';
import { CONTINUATION_START } from '@inboard/core/record/history/transcript/transcript-state.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { SessionMessage } from '@inboard/core/wire/protocol/config/past-sessions.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { AnswerTranslator } from '../stream/answer-translator.js';
import { answerIdOf } from '../stream/to-ui-stream.js';
import { readToolOutput } from '../stream/tool-output.js';
import { MessageParts } from './message-parts.js';
import type { UiMessage, UiPart } from './ui-message.js';

/** How a stored conversation becomes messages of a page. */
export interface ToUiMessagesOptions {
  /**
   * Whether the last prompt is being answered now. Its answer is then left out, because the page gets all of it when it resumes
   * the stream. Default false.
   */
  running?: boolean | undefined;
  /** Whether the model's reasoning is included. Default true. */
  reasoning?: boolean | undefined;
}

/** An answer whose parts are still being collected. */
interface OpenAnswer {
  message: UiMessage;
  parts: MessageParts;
  translator: AnswerTranslator;
}

/**
 * Turns the messages that `getSessionMessages` returns into messages for a page. Ids are the same as in the stream, so nothing
 * is shown twice.
 */
export function toUiMessages(
  messages: readonly SessionMessage[],
  { running = false, reasoning }: ToUiMessagesOptions = {},
): UiMessage[] {
  if (!Array.isArray(messages))
    throw new InvalidOptionsError(
      ['messages'],
      'Messages must be a list, as getSessionMessages() returns it',
    );
  const made: UiMessage[] = [];
  let answer: OpenAnswer | undefined;
  const finish = (): void => {
    answer?.translator.calls.close('The call has no result.');
    if (answer && answer.parts.parts.length > 0) made.push({ ...answer.message, parts: answer.parts.parts });
    answer = undefined;
  };
  for (const message of messages as readonly SessionMessage[]) {
    if (message.is_meta === true || message.isCompletedLocalCommand === true) continue;
    const prompt = readPrompt(message);
    if (prompt) {
      finish();
      made.push(prompt);
      continue;
    }
    answer ??= openAnswer(made.at(-1)?.id ?? message.uuid, reasoning);
    if (message.type !== 'system') answer.translator.take(message as unknown as SDKMessage);
  }
  if (!running) finish();
  return made;
}

function openAnswer(promptId: string, reasoning: boolean | undefined): OpenAnswer {
  const parts = new MessageParts();
  const translator = new AnswerTranslator(parts.take, { reasoning, subagents: 'hide' });
  return { message: { id: answerIdOf(promptId), role: 'assistant', parts: [] }, parts, translator };
}

/** The message of a person. Undefined for results of tools, and for messages that the CLI wrote itself. */
function readPrompt({
  type,
  uuid,
  message,
  parent_tool_use_id: parent,
}: SessionMessage): UiMessage | undefined {
  if (type !== 'user' || parent !== null || !isRecord(message)) return undefined;
  const { content } = message;
  if (!isSentByPerson(content, { isHuman: false }) || textOf(content).startsWith(CONTINUATION_START))
    return undefined;
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [{ type: 'text', text: content }];
  const parts = blocks.flatMap(readPart);
  return parts.length > 0 ? { id: uuid, role: 'user', parts } : undefined;
}

function readPart(block: Record<string, unknown>): UiPart[] {
  const { type, text, title, source } = block;
  if (type === 'text') return typeof text === 'string' ? [{ type: 'text', text, state: 'done' }] : [];
  const filename = typeof title === 'string' ? { filename: title } : {};
  if (isRecord(source) && source['type'] === 'text' && typeof source['data'] === 'string') {
    const url = `data:text/plain;charset=utf-8,${encodeURIComponent(source['data'])}`;
    return [{ type: 'file', mediaType: 'text/plain', url, ...filename }];
  }
  return readToolOutput([block]).files.map((file) => ({ type: 'file', ...file, ...filename }));
}

// Turns the past messages of a conversation into messages for a page. Each prompt of a person becomes one message, and the
// whole answer to it becomes another.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { SessionMessage } from '@inboard/core/wire/protocol/config/past-sessions.js';
import { AnswerTranslator } from '../stream/answer-translator.js';
import { answerIdOf } from '../stream/to-ui-stream.js';
import { MessageParts } from './message-parts.js';
import { isAside, readPastPrompt } from './read-prompt.js';
import { findUnfinished, tellMessages } from './tell-messages.js';
import type { CutOffAnswer } from './recorded-answer.js';
import type { UiMessage } from './ui-message.js';

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

/** One prompt of a person, and the messages that answer it. */
interface Exchange {
  prompt: UiMessage | undefined;
  answer: SessionMessage[];
}

/**
 * Turns the messages that `getSessionMessages` returns into messages for a page. Ids are the same as in the stream, so nothing
 * is shown twice. A call that was cut off at the end of the conversation is shown as running, because it may still get its
 * result.
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
  const exchanges = listExchanges(messages);
  return exchanges.flatMap(({ prompt, answer }, index): UiMessage[] => {
    const isLast = index === exchanges.length - 1;
    const asked = prompt ? [prompt] : [];
    const [first] = answer;
    if (!first || (isLast && running)) return asked;
    const unfinished = isLast ? findUnfinished(answer) : new Set<string>();
    const id = answerIdOf(prompt?.id ?? first.uuid);
    const told = collect(id, reasoning, (translator) => {
      tellMessages(translator, answer, unfinished);
      translator.calls.close('The call has no result.', unfinished);
    });
    return told.parts.length > 0 ? [...asked, told] : asked;
  });
}

/** The message of an answer that was cut off, with its questions. */
export function toCutOffMessage(cutOff: CutOffAnswer, reasoning: boolean | undefined): UiMessage {
  return collect(cutOff.messageId, reasoning, (translator) => {
    cutOff.tell(translator);
    cutOff.tellQuestions(translator);
  });
}

function collect(
  id: string,
  reasoning: boolean | undefined,
  tell: (translator: AnswerTranslator) => void,
): UiMessage {
  const parts = new MessageParts();
  tell(new AnswerTranslator(parts.take, { reasoning, subagents: 'hide' }));
  return { id, role: 'assistant', parts: parts.parts };
}

function listExchanges(messages: readonly SessionMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    if (isAside(message)) continue;
    const prompt = readPastPrompt(message);
    if (prompt) exchanges.push({ prompt, answer: [] });
    else if (exchanges.length === 0) exchanges.push({ prompt: undefined, answer: [message] });
    else exchanges.at(-1)?.answer.push(message);
  }
  return exchanges;
}

// Turns any kind of prompt into an async iterator of user messages. A string becomes a series of one message, so that
// every kind of prompt is handled alike and looks alike on the wire.
import { InvalidOptionsError } from '../../errors.js';
import { isRecord } from '../../util/guards.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { userMessageOf } from './user-message.js';

/** One message of the user: its text, or the whole message. */
export type PromptItem = string | SDKUserMessage;

/** A `ReadableStream` of user messages. This type fits the declarations of Node and of browsers. */
export interface PromptStream {
  getReader(): { read(): Promise<{ done: boolean; value?: PromptItem | undefined }> };
}

/** A text, or any finite or endless series of user messages. */
export type Prompt = string | Iterable<PromptItem> | AsyncIterable<PromptItem> | PromptStream;

/** Reads any prompt as messages. Throws at once if the value is not a prompt. */
export function readPrompt(prompt: Prompt): AsyncIterator<SDKUserMessage> {
  const items = openItems(prompt);
  return {
    async next() {
      const step = await items.next();
      if (step.done) return { done: true, value: undefined };
      try {
        return { done: false, value: readItem(step.value) };
      } catch (error) {
        // The source did not end on its own, but its `finally` must run.
        leaveItems(items).catch(() => {});
        throw error;
      }
    },
    async return() {
      await leaveItems(items);
      return { done: true, value: undefined };
    },
  };
}

async function leaveItems(items: AsyncIterator<unknown> | Iterator<unknown>): Promise<void> {
  await items.return?.();
}

function openItems(prompt: Prompt): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof prompt === 'string') return [prompt].values();
  if (typeof prompt === 'object' && prompt !== null) {
    if (prompt instanceof ReadableStream) return readStream(prompt);
    if (Symbol.asyncIterator in prompt) return prompt[Symbol.asyncIterator]();
    if (Symbol.iterator in prompt) return prompt[Symbol.iterator]();
  }
  throw createPromptError(prompt);
}

/** The error for a missing prompt, and for a value that is not a prompt. */
export function createPromptError(given: unknown): InvalidOptionsError {
  return new InvalidOptionsError(
    ['prompt'],
    `The prompt must be a string, or an array, iterable, async iterable or ReadableStream of user messages; it is ${given === undefined ? 'missing' : describe(given)}`,
  );
}

// The stream's own iterator is not used. Its `return` waits for the chunk that is being read, and a silent stream
// never gives one.
function readStream(stream: ReadableStream<unknown>): AsyncIterator<unknown> {
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function readItem(item: unknown): SDKUserMessage {
  if (typeof item === 'string') return userMessageOf(item);
  if (!isRecord(item) || typeof item['type'] !== 'string') {
    throw new InvalidOptionsError(
      ['prompt'],
      `The prompt yielded ${describe(item)} where a string or a message such as ` +
        `{ type: 'user', message: { role: 'user', content: '…' }, parent_tool_use_id: null } was expected`,
    );
  }
  // The CLI exits on a user line without a message. The caller would take that for a crash.
  if (item['type'] === 'user' && !isRecord(item['message'])) {
    throw new InvalidOptionsError(['prompt'], 'The prompt yielded a user message without a `message` object');
  }
  return item as unknown as SDKUserMessage;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'another kind of object' : `a ${typeof value}`;
}

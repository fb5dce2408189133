// What may be sent as one message of the user, made the message that goes to the CLI: with an id of its own,
// because only then do the CLI's reports name it.
import { isRecord } from '../../util/guards.js';
import { randomUUID } from 'node:crypto';
import { InvalidOptionsError } from '../../errors.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { userMessageOf } from './prompt-source.js';

/** The blocks a user message can be made of: text, images, documents. */
export type UserContent = Extract<SDKUserMessage['message']['content'], readonly unknown[]>;

/** One message: its text, its content blocks, or the whole of it. */
export type MessageInput = string | UserContent | SDKUserMessage;

/** A whole message with an id; throws an InvalidOptionsError for anything else. */
export function toUserMessage(input: MessageInput): SDKUserMessage & { uuid: string } {
  const message = readMessage(input);
  return { ...message, uuid: message.uuid ?? randomUUID() };
}

function readMessage(input: unknown): SDKUserMessage {
  if (typeof input === 'string') return userMessageOf(input);
  if (Array.isArray(input) && input.length > 0 && input.every(isBlock)) {
    return { ...userMessageOf(''), message: { role: 'user', content: input } };
  }
  if (isRecord(input) && input['type'] === 'user' && isRecord(input['message'])) {
    return input as unknown as SDKUserMessage;
  }
  throw new InvalidOptionsError(
    ['message'],
    'A message must be a text, a list of content blocks such as [{ type: "text", text: "…" }], or a whole ' +
      `message such as { type: 'user', message: { role: 'user', content: '…' }, parent_tool_use_id: null }`,
  );
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value['type'] === 'string';
}

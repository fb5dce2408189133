// Makes one user message from what the caller gives, and refuses a message that the CLI's version would misread.
import { randomUUID } from '../../util/random-uuid.js';
import { InvalidOptionsError, UnsupportedOptionError } from '../../errors.js';
import { reaches } from '../../options/supported-versions.js';
import { isRecord } from '../../util/guards.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** The blocks that a user message can consist of: text, images, documents. */
export type UserContent = Extract<SDKUserMessage['message']['content'], readonly unknown[]>;

/** One message: its text, its content blocks, or the whole message. */
export type MessageInput = string | UserContent | SDKUserMessage;

/** The first version that obeys `shouldQuery: false`, found by trying. Version 2.1.109 still asks the model. */
const SHOULD_QUERY_SINCE = '2.1.110';

/** Makes a message from a plain text. */
export function userMessageOf(text: string): SDKUserMessage {
  return {
    type: 'user',
    session_id: '',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  };
}

/**
 * Makes a whole message with an id, because the CLI's reports name only messages with one. Throws an
 * InvalidOptionsError if the input is not a message.
 */
export function toUserMessage(input: MessageInput): SDKUserMessage & { uuid: string } {
  const message = readMessage(input);
  return { ...message, uuid: message.uuid ?? randomUUID() };
}

/** Whether some CLI versions treat the message differently. */
export function dependsOnVersion(message: SDKUserMessage): boolean {
  return message.shouldQuery === false;
}

/** Throws an UnsupportedOptionError if this version would silently do the opposite of what the message says. */
export function checkMessage(message: SDKUserMessage, version: string | undefined): void {
  if (!dependsOnVersion(message) || reaches(version, SHOULD_QUERY_SINCE)) return;
  throw new UnsupportedOptionError(
    'shouldQuery: false (of a message)',
    String(version),
    SHOULD_QUERY_SINCE,
    'This CLI would ask the model anyway.',
  );
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
    'A message must be a string, a list of content blocks such as [{ type: "text", text: "…" }], or a whole ' +
      `message such as { type: 'user', message: { role: 'user', content: '…' }, parent_tool_use_id: null }`,
  );
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value['type'] === 'string';
}

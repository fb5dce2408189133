// Gives the past messages of one answer to a translator, and finds the calls that were cut off at its end.
import { isFalseResult } from '@inboard/core/calls/transcript/false-result.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { SessionMessage } from '@inboard/core/wire/protocol/config/past-sessions.js';
import { blocksOf, bodyOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { AnswerTranslator } from '../stream/answer-translator.js';
import { isAside } from './read-prompt.js';

/** Tells the messages of an answer. The results of the calls in `unfinished` are left out, because they say nothing true. */
export function tellMessages(
  translator: AnswerTranslator,
  messages: readonly SessionMessage[],
  unfinished: ReadonlySet<string>,
): void {
  for (const message of messages) {
    if (isAside(message) || message.type === 'system') continue;
    translator.take(withoutResults(message, unfinished) as unknown as SDKMessage);
  }
}

/**
 * The calls of an answer's last reply that have no result, or one that the CLI made up because its host was gone. They may
 * still get their result.
 */
export function findUnfinished(messages: readonly SessionMessage[]): Set<string> {
  const own = messages.filter(
    (message) => message.parent_tool_use_id === null && !isAside(message) && !isSynthetic(message),
  );
  const last = own.findLast(({ type }) => type === 'assistant');
  if (!last) return new Set();
  const { id } = bodyOf(asWire(last));
  const reply = own.filter((message) => message.type === 'assistant' && bodyOf(asWire(message))['id'] === id);
  const open = new Set(
    reply.flatMap((message) =>
      blocksOf(asWire(message)).flatMap((block) =>
        block['type'] === 'tool_use' ? [String(block['id'])] : [],
      ),
    ),
  );
  for (const message of own) {
    if (message.type !== 'user') continue;
    for (const block of blocksOf(asWire(message))) {
      if (block['type'] === 'tool_result' && !isFalseResult(block)) open.delete(String(block['tool_use_id']));
    }
  }
  return open;
}

function withoutResults(message: SessionMessage, unfinished: ReadonlySet<string>): SessionMessage {
  if (message.type !== 'user' || unfinished.size === 0 || !isRecord(message.message)) return message;
  const { content } = message.message;
  if (!Array.isArray(content)) return message;
  const kept = content.filter((block) => !isResultOf(block, unfinished));
  return { ...message, message: { ...message.message, content: kept } };
}

function isResultOf(block: unknown, calls: ReadonlySet<string>): boolean {
  return isRecord(block) && block['type'] === 'tool_result' && calls.has(String(block['tool_use_id']));
}

/** Whether the CLI wrote the message in the model's place. */
function isSynthetic(message: SessionMessage): boolean {
  return bodyOf(asWire(message))['model'] === '<synthetic>';
}

function asWire(message: SessionMessage): WireObject {
  return message as unknown as WireObject;
}

// Reads the prompts of people from past messages.
import { isSentByPerson } from '@inboard/core/record/history/transcript/prompt-text.js';
import { CONTINUATION_START } from '@inboard/core/record/history/transcript/transcript-state.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { SessionMessage } from '@inboard/core/wire/protocol/config/past-sessions.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { readToolOutput } from '../stream/tool-output.js';
import type { UiMessage, UiPart } from './ui-message.js';

/** The message of a person. Undefined for results of tools, and for messages that the CLI wrote itself. */
export function readPastPrompt({
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

/** Whether a message is no part of what a page shows. */
export function isAside({ is_meta: isMeta, isCompletedLocalCommand }: SessionMessage): boolean {
  return isMeta === true || isCompletedLocalCommand === true;
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

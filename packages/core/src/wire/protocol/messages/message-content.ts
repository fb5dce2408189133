// Reads parts of a frame without trusting its form, for code that only observes frames.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../codec.js';

/** The API message in an `assistant` or `user` frame; an empty object if there is none. */
export function bodyOf(frame: WireObject): WireObject {
  return isRecord(frame['message']) ? frame['message'] : {};
}

/** The content blocks of the API message in a frame; empty if its content is a plain text. */
export function blocksOf(frame: WireObject): WireObject[] {
  const { content } = bodyOf(frame);
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** All text in a message's content, which may be a text or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .flatMap((block) => (block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : []))
    .join('\n');
}

/** The beginnings of the results that Inboard writes for calls that the model may make again. */
const MADE_AGAIN_STARTS = [
  'This call did not run',
  'This call was waiting for a person',
  'This call began',
] as const;

/** Whether a result by Inboard tells the model that the call did not run, or that its outcome is unknown. */
export function mayComeAgain(block: WireObject): boolean {
  if (block['is_error'] !== true) return false;
  const text = textOf(block['content']);
  return MADE_AGAIN_STARTS.some((start) => text.startsWith(start));
}

/** Whether a `tool_result` only says that the CLI ended before there was a result, so that the outcome is unknown. */
export function isOutcomeUnknown(block: WireObject): boolean {
  return block['is_error'] === true && textOf(block['content']).startsWith('[Tool call interrupted:');
}

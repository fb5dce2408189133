// Recognizes results that the CLI made up because it could not wait for the real one: the host was gone, or the CLI
// itself had been.
import { isOutcomeUnknown, textOf } from '../../wire/protocol/messages/message-content.js';
import type { WireObject } from '../../wire/protocol/codec.js';

/**
 * The texts of both CLIs when their input ends, at a question and in a call of an in-process tool
 * (docs/discoveries/crash-and-resume.md).
 */
const HOST_GONE = [
  /^(?:Tool permission request failed: \w+: )?Tool permission stream closed/,
  /^The tool call was interrupted before a result was received\./,
];

/** Whether a `tool_result` block says nothing about what the call did. */
export function isFalseResult(block: WireObject): boolean {
  if (block['is_error'] !== true) return false;
  const text = textOf(block['content']);
  return isOutcomeUnknown(block) || HOST_GONE.some((beginning) => beginning.test(text));
}

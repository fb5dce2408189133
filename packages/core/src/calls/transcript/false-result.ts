// Recognizes results that the CLI made up because it never got the real one: the host was gone, or the CLI itself was
// stopped and started again.
import { isOutcomeUnknown, textOf } from '../../wire/protocol/messages/message-content.js';
import type { WireObject } from '../../wire/protocol/codec.js';

/**
 * What both CLIs write when their input ends: while they wait for the answer to a question, and during a call of an
 * in-process tool (docs/discoveries/crash-and-resume.md).
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

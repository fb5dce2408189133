// Reads how calls and turns ended, from the messages that report it.
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { isOutcomeUnknown } from '../../../wire/protocol/messages/message-content.js';

/** How a call ended, as the message with its result says it. */
export interface ToolOutcome {
  toolUseId: string;
  content: unknown;
  isError: boolean;
  /** Whether the call did not run, because a rule, a hook or a person refused it. */
  isRefused: boolean;
  /** Whether the call was ended before it was done, or its outcome is unknown. */
  isCut: boolean;
}

/** The results in a `user` message of the CLI. */
export function readOutcomes(frame: WireObject, blocks: readonly WireObject[]): ToolOutcome[] {
  return blocks.flatMap((block) => {
    const toolUseId = block['tool_use_id'];
    if (block['type'] !== 'tool_result' || typeof toolUseId !== 'string') return [];
    const meta = findMeta(frame, toolUseId);
    const decision = isRecord(meta['permission_decision'])
      ? meta['permission_decision']['decision']
      : undefined;
    const isError = block['is_error'] === true;
    const isRefused = isError && decision === 'reject';
    // Newer CLIs report `user-rejected` without a decision for a call that an interrupt ended.
    const isEnded = meta['non_execution_kind'] === 'user-rejected' && decision === undefined;
    const isCut = isError && !isRefused && (isEnded || isOutcomeUnknown(block));
    return [{ toolUseId, content: block['content'], isError, isRefused, isCut }];
  });
}

/** Whether the result in a `user` message only says that work in the background has begun. */
export function isStartedOnly({ tool_use_result: own }: WireObject): boolean {
  return isRecord(own) && own['isAsync'] === true;
}

/** Whether a turn ended without an error. */
export function isSuccess(frame: WireObject): boolean {
  return frame['is_error'] !== true && frame['subtype'] === 'success';
}

/** Whether a turn was interrupted. Older CLIs do not report it; for them, `wasInterrupted` decides. */
export function isInterruption(frame: WireObject, wasInterrupted: boolean): boolean {
  const reason = asString(frame['terminal_reason']);
  return reason === undefined ? wasInterrupted : reason.startsWith('aborted');
}

function findMeta(frame: WireObject, toolUseId: string): WireObject {
  const list = frame['tool_result_meta'];
  if (!Array.isArray(list)) return {};
  return list.filter(isRecord).find(({ id }) => id === toolUseId) ?? {};
}

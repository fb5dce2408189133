// Applies decisions that were made after their CLI had ended. A question ends with its CLI; the resumed session asks it
// again, under another id.
import { isDeepStrictEqual } from 'node:util';
import type { CanUseTool, PermissionResult } from '../../wire/protocol/control/permission-question.js';

/** A stored question and its decision: a `PendingPermission` with a `result` is one. */
export interface RecordedDecision {
  toolName: string;
  input: Record<string, unknown>;
  /** Set for a call that a hook deferred: the question comes again with the same id. */
  toolUseID?: string;
  result: PermissionResult;
}

/**
 * A permission callback that applies recorded decisions, each once, and calls `otherwise` for all other questions
 * (without it they are denied). A decision applies only to the same tool with the same input.
 */
export function replayPermissions(decisions: Iterable<RecordedDecision>, otherwise?: CanUseTool): CanUseTool {
  const left = [...decisions];
  return async (toolName, input, options) => {
    const fitting = left.filter(
      (decision) => decision.toolName === toolName && isDeepStrictEqual(decision.input, input),
    );
    const chosen = fitting.find(({ toolUseID }) => toolUseID === options.toolUseID) ?? fitting[0];
    if (chosen) {
      left.splice(left.indexOf(chosen), 1);
      return chosen.result;
    }
    if (otherwise) return await otherwise(toolName, input, options);
    return { behavior: 'deny', message: 'Nobody has decided about this call' };
  };
}

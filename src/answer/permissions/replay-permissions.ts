// Decisions that were taken while no session was there to hear them, put to use in a later one: a question
// dies with its CLI, and a resumed session asks again, in its own time and under another id.
import { isDeepStrictEqual } from 'node:util';
import type { CanUseTool, PermissionResult } from '../../wire/protocol/control/permissions.js';

/** A question that was written down and what was decided about it; a `PendingPermission` with a `result` is one. */
export interface RecordedDecision {
  toolName: string;
  input: Record<string, unknown>;
  /** Known for a call that a hook deferred: it is asked about again under the same id. */
  toolUseID?: string;
  result: PermissionResult;
}

/**
 * A permission callback that answers from recorded decisions, each once, and asks `otherwise` about everything
 * else, which is denied without one. A decision holds for the same tool with the same input and for nothing else.
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

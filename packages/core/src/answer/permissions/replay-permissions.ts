// Applies decisions that people made after the CLI had ended. A question ends with its CLI. The resumed session asks it
// again with another id.
import { isDeepStrictEqual } from 'node:util';
import type {
  CanUseTool,
  CanUseToolOptions,
  PermissionResult,
} from '../../wire/protocol/control/permission-question.js';

/** A stored question and its decision. A `PendingPermission` with a `result` has this shape. */
export interface RecordedDecision {
  toolName: string;
  input: Record<string, unknown>;
  /** The id of the call. If a hook deferred the call, the question that comes again has the same id. */
  toolUseID?: string;
  result: PermissionResult;
}

/** A question as a lookup receives it. */
export interface AskedPermission extends CanUseToolOptions {
  toolName: string;
  input: Record<string, unknown>;
}

/** Finds the decision about a question. Undefined if there is none yet. Null leaves the question open. */
export type PermissionLookup = (
  question: AskedPermission,
) => Promise<PermissionResult | null | undefined> | PermissionResult | null | undefined;

/**
 * Makes a permission callback that applies recorded decisions. For a question without one it calls `otherwise`, or denies
 * the call if that is not given. Each decision in a list applies once, to the same tool with the same input. A lookup
 * function finds decisions in its own way, best by the question's `callKey`. If it throws a PermissionUnavailableError,
 * it is called again later.
 */
export function replayPermissions(
  decisions: Iterable<RecordedDecision> | PermissionLookup,
  otherwise?: CanUseTool,
): CanUseTool {
  const lookUp = typeof decisions === 'function' ? decisions : createLookup(decisions);
  return async (toolName, input, options) => {
    const found = await lookUp(withQuestion(options, { toolName, input }));
    if (found !== undefined) return found;
    if (otherwise) return await otherwise(toolName, input, options);
    return { behavior: 'deny', message: 'Nobody has decided on this call' };
  };
}

/** Adds fields to the options without reading their computed fields. */
function withQuestion(
  options: CanUseToolOptions,
  question: Pick<AskedPermission, 'toolName' | 'input'>,
): AskedPermission {
  const fields = {
    ...Object.getOwnPropertyDescriptors(options),
    ...Object.getOwnPropertyDescriptors(question),
  };
  return Object.defineProperties({}, fields) as AskedPermission;
}

function createLookup(decisions: Iterable<RecordedDecision>): PermissionLookup {
  const left = [...decisions];
  return ({ toolName, input, toolUseID: askedId }) => {
    const fitting = left.filter(
      (decision) => decision.toolName === toolName && isDeepStrictEqual(decision.input, input),
    );
    const chosen = fitting.find(({ toolUseID }) => toolUseID === askedId) ?? fitting[0];
    if (chosen) left.splice(left.indexOf(chosen), 1);
    return chosen?.result;
  };
}

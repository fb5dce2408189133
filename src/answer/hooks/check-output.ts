// Checks what a hook returned before the CLI does. The CLI treats an answer it cannot read as an empty one, so a refusal
// with one wrong field would let the call through: here it becomes a problem that is reported.
import { isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import { withoutNulls } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';

/** The answer to send, or why there is none. */
export type CheckedOutput =
  | { output: unknown }
  | {
      /** What is wrong with the return value; completes a sentence that ends in "returned". */
      problem: string;
      /** Whether it may have been meant as a refusal. */
      mayRefuse: boolean;
    };

// With these the hook did not refuse, whatever else is wrong with its answer.
const APPROVALS: readonly unknown[] = ['allow', 'approve', undefined, null];

const TYPES: Record<string, 'boolean' | 'string'> = {
  continue: 'boolean',
  suppressOutput: 'boolean',
  stopReason: 'string',
  reason: 'string',
  systemMessage: 'string',
  terminalSequence: 'string',
};

/** Checks a hook's return value and repairs what can only mean one thing: null fields and a missing event name. */
export function checkOutput(event: string, value: unknown): CheckedOutput {
  if (!isRecord(value)) return { problem: `${describe(value)}, which is no object`, mayRefuse: false };
  // The CLI refuses null in fields that may be left out.
  const output = withoutNulls(value);
  if (output['async'] === true) return encodable(output);
  const problem = findProblem(event, output);
  if (problem !== undefined) return { problem, mayRefuse: mayRefuse(event, output) };
  const specific = output['hookSpecificOutput'];
  if (!isRecord(specific)) return encodable(output);
  return encodable({ ...output, hookSpecificOutput: nameEvent(event, specific) });
}

function findProblem(event: string, output: WireObject): string | undefined {
  for (const [field, type] of Object.entries(TYPES)) {
    if (output[field] !== undefined && typeof output[field] !== type)
      return `"${field}": ${describe(output[field])}; expected a ${type}`;
  }
  const { decision, hookSpecificOutput: specific } = output;
  if (decision !== undefined && decision !== 'approve' && decision !== 'block')
    return `"decision": ${describe(decision)}; expected "approve" or "block"`;
  if ('permissionDecision' in output)
    return '"permissionDecision" beside "hookSpecificOutput"; it belongs inside';
  if (specific === undefined) return undefined;
  if (!isRecord(specific)) return `"hookSpecificOutput": ${describe(specific)}; expected an object`;
  return findSpecificProblem(event, withoutNulls(specific));
}

function findSpecificProblem(event: string, specific: WireObject): string | undefined {
  const { hookEventName: name, permissionDecision, updatedInput, additionalContext } = specific;
  if (name !== undefined && name !== event)
    return `"hookEventName": ${describe(name)} in answer to ${event}; expected "${event}"`;
  if (additionalContext !== undefined && typeof additionalContext !== 'string')
    return `"additionalContext": ${describe(additionalContext)}; expected a string`;
  const known = findHookEvent(event)?.permissionDecisions;
  if (known && permissionDecision !== undefined && !known.includes(permissionDecision as string))
    return `"permissionDecision": ${describe(permissionDecision)}; expected one of ${known.join(', ')}`;
  if (event === 'PreToolUse' && updatedInput !== undefined && !isRecord(updatedInput))
    return `"updatedInput": ${describe(updatedInput)}; expected an object`;
  if (event !== 'PermissionRequest') return undefined;
  const { decision } = specific;
  const behavior = isRecord(decision) ? decision['behavior'] : undefined;
  if (decision === undefined || behavior === 'allow' || behavior === 'deny') return undefined;
  return `"decision": ${describe(decision)}; expected { behavior: "allow" } or { behavior: "deny" }`;
}

function mayRefuse(event: string, output: WireObject): boolean {
  const given = output['hookSpecificOutput'];
  const specific = isRecord(given) ? given : {};
  const decision = specific['decision'];
  const decided = [
    output['decision'],
    output['permissionDecision'],
    specific['permissionDecision'],
    isRecord(decision) ? decision['behavior'] : decision,
  ];
  // For a tool call, the CLI too treats an answer to another event as a refusal.
  const isMisnamed = specific['hookEventName'] !== undefined && specific['hookEventName'] !== event;
  return isMisnamed || output['continue'] === false || decided.some((value) => !APPROVALS.includes(value));
}

function nameEvent(event: string, specific: WireObject): WireObject {
  const kept = withoutNulls(specific);
  const { decision } = kept;
  return {
    ...kept,
    hookEventName: event,
    ...(isRecord(decision) ? { decision: withoutNulls(decision) } : {}),
  };
}

function encodable(output: WireObject): CheckedOutput {
  try {
    JSON.stringify(output);
  } catch (error) {
    return {
      problem: `something that is no JSON (${messageOf(error)})`,
      mayRefuse: true,
    };
  }
  return { output };
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}

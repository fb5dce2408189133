// What in a hook's answer the CLI could not read: fields of the wrong type, values it does not know, another event.
import { isRecord } from '../../util/guards.js';
import { withoutNulls } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';

const FIELD_TYPES: Record<string, 'boolean' | 'string'> = {
  continue: 'boolean',
  suppressOutput: 'boolean',
  stopReason: 'string',
  reason: 'string',
  systemMessage: 'string',
  terminalSequence: 'string',
};

/** The first thing the CLI could not read, in words for the author of the hook; undefined when there is none. */
export function findOutputProblem(event: string, output: WireObject): string | undefined {
  for (const [field, type] of Object.entries(FIELD_TYPES)) {
    if (output[field] !== undefined && typeof output[field] !== type)
      return `"${field}": ${describeValue(output[field])}; expected a ${type}`;
  }
  const { decision, hookSpecificOutput: specific } = output;
  if (decision !== undefined && decision !== 'approve' && decision !== 'block')
    return `"decision": ${describeValue(decision)}; expected "approve" or "block"`;
  if ('permissionDecision' in output)
    return '"permissionDecision" beside "hookSpecificOutput"; it belongs inside';
  if (specific === undefined) return undefined;
  if (!isRecord(specific)) return `"hookSpecificOutput": ${describeValue(specific)}; expected an object`;
  return findSpecificProblem(event, withoutNulls(specific));
}

function findSpecificProblem(event: string, specific: WireObject): string | undefined {
  const { hookEventName: name, permissionDecision, updatedInput, additionalContext } = specific;
  if (name !== undefined && name !== event)
    return `"hookEventName": ${describeValue(name)} in answer to ${event}; expected "${event}"`;
  if (additionalContext !== undefined && typeof additionalContext !== 'string')
    return `"additionalContext": ${describeValue(additionalContext)}; expected a string`;
  const known = findHookEvent(event)?.permissionDecisions;
  if (known && permissionDecision !== undefined && !known.includes(permissionDecision as string))
    return `"permissionDecision": ${describeValue(permissionDecision)}; expected one of ${known.join(', ')}`;
  if (event === 'PreToolUse' && updatedInput !== undefined && !isRecord(updatedInput))
    return `"updatedInput": ${describeValue(updatedInput)}; expected an object`;
  if (event !== 'PermissionRequest') return undefined;
  const { decision } = specific;
  const behavior = isRecord(decision) ? decision['behavior'] : undefined;
  if (decision === undefined || behavior === 'allow' || behavior === 'deny') return undefined;
  return `"decision": ${describeValue(decision)}; expected { behavior: "allow" } or { behavior: "deny" }`;
}

/** A value as problems name it. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}

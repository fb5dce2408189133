// Checks what a hook returned before the CLI does. The CLI treats an answer it cannot read as an empty one, so a refusal
// with one wrong field would let the call through: here it becomes a problem that is reported.
import { isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import { withoutNulls } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { describeValue, findOutputProblem } from './output-problem.js';

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

/** Checks a hook's return value and repairs what can only mean one thing: null fields and a missing event name. */
export function checkOutput(event: string, value: unknown): CheckedOutput {
  if (!isRecord(value)) return { problem: `${describeValue(value)}, which is no object`, mayRefuse: false };
  // The CLI refuses null in fields that may be left out.
  const output = withoutNulls(value);
  if (output['async'] === true) return encodable(output);
  const problem = findOutputProblem(event, output);
  if (problem !== undefined) return { problem, mayRefuse: mayRefuse(event, output) };
  const specific = output['hookSpecificOutput'];
  if (!isRecord(specific)) return encodable(output);
  return encodable({ ...output, hookSpecificOutput: nameEvent(event, specific) });
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
    return { problem: `something that is no JSON (${messageOf(error)})`, mayRefuse: true };
  }
  return { output };
}

// Checks whether a value is an answer to a question.
import { InvalidOptionsError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import { nameKind } from '../../../util/options-object.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';

/** Whether a value has the form that `allow()` and `deny()` make. */
export function isAnswer(result: unknown): result is PermissionResult {
  if (!isRecord(result)) return false;
  const { behavior, message } = result;
  return behavior === 'allow' || (behavior === 'deny' && typeof message === 'string');
}

/** Throws an InvalidOptionsError for a value that is not an answer to a question. */
export function checkAnswer(result: unknown): asserts result is PermissionResult {
  if (!isAnswer(result))
    throw new InvalidOptionsError(['result'], 'An answer must be made with allow() or deny(message)');
  const problem = findTypeProblem(result);
  if (problem !== undefined) throw new InvalidOptionsError(['updatedInput'], problem);
}

/**
 * Says that a changed input is not an object, which no tool accepts. Undefined if it is one, or if the answer changes no
 * input.
 */
export function findTypeProblem(result: PermissionResult): string | undefined {
  const input: unknown = result.behavior === 'allow' ? result.updatedInput : undefined;
  // Null is not sent to the CLI, so it means the same as undefined.
  if (input === undefined || input === null || (isRecord(input) && !Array.isArray(input))) return undefined;
  return `The changed input of a call ("updatedInput") must be an object, not ${nameKind(input)}.`;
}

// What counts as an answer to a question.
import { InvalidOptionsError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';

/** Whether a value is what `allow()` and `deny()` make. */
export function isAnswer(result: unknown): result is PermissionResult {
  if (!isRecord(result)) return false;
  const { behavior, message } = result;
  return behavior === 'allow' || (behavior === 'deny' && typeof message === 'string');
}

/** Throws an InvalidOptionsError for what is no answer to a question. */
export function checkAnswer(result: unknown): void {
  if (!isAnswer(result))
    throw new InvalidOptionsError(['result'], 'An answer must be made with allow() or deny(message)');
}

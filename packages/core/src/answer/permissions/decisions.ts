// Functions that make the return values of a permission callback.
import { withoutUndefined } from '../../util/without-undefined.js';
import type { PermissionUpdate } from '../../wire/protocol/control/permissions.js';
import type { PermissionResult } from '../../wire/protocol/control/permission-question.js';

/** What may change with an allowed call. */
export interface AllowOptions {
  /** Runs the tool with this input in place of the model's. */
  input?: Record<string, unknown> | undefined;
  /** Permission changes that prevent the question next time, e.g. its `suggestions`. */
  remember?: PermissionUpdate[] | undefined;
}

/** Lets the tool call run. */
export function allow({ input, remember }: AllowOptions = {}): PermissionResult {
  return withoutUndefined({ behavior: 'allow', updatedInput: input, updatedPermissions: remember });
}

/** Refuses the tool call; the model reads `message`. With `interrupt` the turn ends too. */
export function deny(message: string, { interrupt }: { interrupt?: boolean } = {}): PermissionResult {
  return { behavior: 'deny', message, ...(interrupt === true ? { interrupt } : {}) };
}

/** Answers the tool AskUserQuestion. `answers` has, by the text of each question, the chosen labels or the user's own text. */
export function answerQuestions(
  input: Record<string, unknown>,
  answers: Readonly<Record<string, string | readonly string[]>>,
): PermissionResult {
  const texts = Object.entries(answers).map(([question, answer]) => [
    question,
    typeof answer === 'string' ? answer : answer.join(', '),
  ]);
  return allow({ input: { ...input, answers: Object.fromEntries(texts) as Record<string, string> } });
}

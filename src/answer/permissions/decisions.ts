// The words for decisions: what a permission callback returns, without spelling the objects out.
import type { PermissionResult, PermissionUpdate } from '../../wire/protocol/control/permissions.js';

/** More to say with an allow. */
export interface AllowOptions {
  /** Runs the tool with this input in place of the model's. */
  input?: Record<string, unknown>;
  /** Changes that keep the question from coming again, e.g. the `suggestions` of the question. */
  remember?: PermissionUpdate[];
}

/** Lets the call run. */
export function allow({ input, remember }: AllowOptions = {}): PermissionResult {
  return {
    behavior: 'allow',
    ...(input === undefined ? {} : { updatedInput: input }),
    ...(remember === undefined ? {} : { updatedPermissions: remember }),
  };
}

/** Refuses the call; the model reads `message`. With `interrupt` the turn ends, too. */
export function deny(message: string, { interrupt }: { interrupt?: boolean } = {}): PermissionResult {
  return { behavior: 'deny', message, ...(interrupt === true ? { interrupt } : {}) };
}

/** Answers the questions of the tool AskUserQuestion: by question text, the label chosen or the user's own words. */
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

// Handles an answer that allows a call with a changed input, if the tool would refuse that input. The question must not
// end with such an answer. If the question waits in this process, the answer is refused with an error. If the answer
// came from another process, the question is asked again.
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { InputProblem } from '../open-permission.js';
import { findAskedProblem } from '../permission-questions.js';
import { refuseInput } from '../question-errors.js';
import type { ApprovalQuestion } from './approval.js';
import { findTypeProblem } from './approval-result.js';
import { listWaiting } from './queue-registry.js';

/** Why the tool would refuse the call behind a request with the changed input; undefined if it would not. */
export function findChangedProblem(requestId: string, result: PermissionResult): InputProblem {
  const problem = findTypeProblem(result);
  if (problem !== undefined || result.behavior !== 'allow' || !result.updatedInput) return problem;
  return findAskedProblem(requestId, result.updatedInput);
}

/** Throws an InvalidOptionsError if the question waits in this process and its tool would refuse the changed input. */
export async function checkChangedInput(id: string, result: PermissionResult): Promise<void> {
  for (const { question, requestId } of listWaiting()) {
    if (question.id !== id || requestId === undefined) continue;
    const problem = await findChangedProblem(requestId, result);
    if (problem !== undefined) throw refuseInput(problem);
  }
}

const AGAIN = /-again-(\d+)$/;

/**
 * Makes the question to ask after an answer that cannot be used. It gets a new id. The answer stays stored under the old
 * id, so that after a restart the same steps lead to this question again.
 */
export function askAgain(question: ApprovalQuestion, problem: string): ApprovalQuestion {
  const first = firstIdOf(question.id);
  const times = Number(AGAIN.exec(question.id)?.[1] ?? 1) + 1;
  const decisionReason = `This is asked again, because the last answer changed the input so that the tool would refuse it. ${problem}`;
  return { ...question, id: `${first}-again-${times}`, decisionReason };
}

/** The id under which a question was asked first. */
export function firstIdOf(id: string): string {
  return id.replace(AGAIN, '');
}

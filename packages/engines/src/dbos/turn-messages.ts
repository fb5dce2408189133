// The names and forms in which workflows, and the programs that talk to them, find each other in the database of DBOS.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { isAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/attempt-waits.js';

export const DEFAULT_QUEUE = 'inboard';

/** The topic of messages to a workflow. */
export const TOPIC = 'inboard';

/** What is sent to the workflow of a turn: an answer, or a hint that a pending call was completed or that the turn was stopped. */
export type TurnMessage = { answer: QuestionAnswer } | { wake: true };

/** Reads what came to the topic. Undefined if it is no message: every program with access to the database can send one. */
export function readMessage(value: unknown): TurnMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { answer, wake } = value;
  if (isRecord(answer) && typeof answer['id'] === 'string' && isAnswer(answer['result'])) {
    const { id, result, by } = answer;
    return { answer: { id, result, ...(typeof by === 'string' && { by }) } };
  }
  return wake === true ? { wake } : undefined;
}

/** The event in which a workflow says what its turn waits for. */
export const WAITING_EVENT = 'inboard';

/** What a turn waits for. */
export interface WaitingTurn {
  questions: ApprovalQuestion[];
  pending: AwaitedCall[];
}

/** The name under which the workflow is registered. */
export function nameWorkflow(queue: string): string {
  return `${queue}.turn`;
}

/** The name of the workflow whose existence says that a turn was stopped. It does nothing. */
export function nameStopWorkflow(queue: string): string {
  return `${queue}.stop`;
}

/** Its id. */
export function nameStop(workflowID: string): string {
  return `${workflowID}/stop`;
}

/** The id of the workflow of a turn. A turn that is sent twice is one workflow. */
export function nameTurnWorkflow(queue: string, conversation: string, id: string): string {
  return [queue, conversation, id].map(encodeURIComponent).join('/');
}

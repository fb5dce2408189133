// The names and forms in which workflows, and the programs that talk to them, find each other in the database of DBOS.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { isAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import { deriveUuid } from '@inboard/core/util/derive-uuid.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';

export const DEFAULT_QUEUE = 'inboard';

/** The topic of messages to a workflow. */
export const TOPIC = 'inboard';

/**
 * What is sent to the workflow of a turn: an answer, or a hint that a pending call was completed or that the turn was stopped. `asking`
 * says how many answers to the same question were taken before.
 */
export type TurnMessage = { answer: QuestionAnswer; asking?: number } | { wake: true };

/** Reads what came to the topic. Undefined if it is no message: every program with access to the database can send one. */
export function readMessage(value: unknown): TurnMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { answer, asking, wake } = value;
  if (isRecord(answer) && typeof answer['id'] === 'string' && isAnswer(answer['result'])) {
    const { id, result, by } = answer;
    return {
      answer: { id, result, ...(typeof by === 'string' && { by }) },
      ...(typeof asking === 'number' && { asking }),
    };
  }
  return wake === true ? { wake } : undefined;
}

/** The event in which a workflow says what its turn waits for. */
export const WAITING_EVENT = 'inboard';

/** What a turn waits for. */
export interface WaitingTurn {
  questions: ApprovalQuestion[];
  pending: AwaitedCall[];
  /** How many answers were taken to those questions that had some before. */
  askings?: Record<string, number>;
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

/** The name of the workflow that an answer is kept as. */
export function nameAnswerWorkflow(queue: string): string {
  return `${queue}.answer`;
}

/** The input of that workflow. */
export interface KeptAnswer {
  /** The id of the turn's workflow. */
  turn: string;
  /** The message is sent under this key, so that the turn gets it once, whoever sends it. */
  key: string;
  message: TurnMessage;
  /** Made up by the call of `answer()`, which finds out by it whether it was the first. */
  mark: string;
}

/** The key of the answer to a question that was answered so many times before. It is short, because DBOS has an index on it. */
export function nameAnswer(questionId: string, asking: number): string {
  return `answer/${deriveUuid(questionId)}/${asking}`;
}

/** The id of the workflow of a turn. A turn that is sent twice is one workflow. */
export function nameTurnWorkflow(queue: string, conversation: string, id: string): string {
  return [queue, conversation, id].map(encodeURIComponent).join('/');
}

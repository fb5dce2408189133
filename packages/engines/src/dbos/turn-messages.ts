// The names and forms in which workflows, and the programs that talk to them, find each other in the database of DBOS.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/attempt-waits.js';

export const DEFAULT_QUEUE = 'inboard';

/** The topic of messages to a workflow. */
export const TOPIC = 'inboard';

/** What is sent to the workflow of a turn: an answer, or a hint that a pending call was completed. */
export type TurnMessage = { answer: QuestionAnswer } | { wake: true };

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

/** The id of the workflow of a turn. A turn that is sent twice is one workflow. */
export function nameTurnWorkflow(queue: string, conversation: string, id: string): string {
  return [queue, conversation, id].map(encodeURIComponent).join('/');
}

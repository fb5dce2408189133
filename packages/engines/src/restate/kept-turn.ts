// What the object of a conversation keeps while a turn is worked on, for the handlers that answer its questions and wake it. And the
// answers of people as they come, through a handler or straight to the awakeable of a question.
import { checkAnswer, isAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape } from '@inboard/core/util/option-shapes.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/attempt-waits.js';
import type { RestateLibrary, SharedContext } from './restate-library.js';

/** A question that waits for an answer. */
export interface RestateQuestion extends ApprovalQuestion {
  /** The id of the turn. */
  turn: string;
  /** The id of the awakeable that the answer completes. Whoever has it can answer through Restate's own interfaces as well. */
  awakeable: string;
}

/** The answer to a question, as its awakeable takes it. */
export interface PromisedAnswer {
  /** What `allow()` or `deny()` returned. */
  result: PermissionResult;
  /** Who answered. */
  by?: string | undefined;
}

/** In the state of the object. */
export interface KeptTurn {
  /** The awakeable that a wake completes. */
  wake: string;
  questions: RestateQuestion[];
  /** Calls whose results come later. */
  pending: AwaitedCall[];
}

export const STATE = 'turn';

/** An answer that came to an awakeable, or undefined if it is none. A question whose awakeable was rejected is denied. */
export function readGivenAnswer(id: string, value: unknown, failure?: Error): QuestionAnswer | undefined {
  if (failure) return { id, result: { behavior: 'deny', message: failure.message } };
  if (!isRecord(value) || !isAnswer(value['result'])) return undefined;
  const { result, by } = value;
  return { id, result, ...(typeof by === 'string' && { by }) };
}

export async function readKeptTurn(context: SharedContext): Promise<KeptTurn | undefined> {
  return ((await context.get(STATE)) as KeptTurn | null) ?? undefined;
}

/** The handler that answers a question of the turn that is being worked on. */
export async function giveAnswer(
  { TerminalError }: RestateLibrary,
  context: SharedContext,
  answer: unknown,
): Promise<void> {
  if (!isRecord(answer))
    throw new InvalidOptionsError(
      ['answer'],
      '"answer" takes { id, result }: the id of a question, and the answer',
    );
  requireShape('id', answer['id'], filledText, { called: '"answer" of a conversation: "id"' });
  checkAnswer(answer['result']);
  const { id, result, by } = answer;
  const question = (await readKeptTurn(context))?.questions.find((each) => each.id === id);
  if (!question)
    throw new TerminalError(
      `The conversation "${context.key}" has no open question "${String(id)}". It was answered, or its turn has ended.`,
      { errorCode: 404 },
    );
  context.resolveAwakeable(question.awakeable, { result, ...(typeof by === 'string' && { by }) });
}

// What the object of a conversation keeps while a turn is worked on, for the handlers that answer its questions and wake it. And the
// answers of people as they come, through a handler or straight to the awakeable of a question.
import { checkAnswer, isAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape } from '@inboard/core/util/option-shapes.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { json } from './json-serde.js';
import type { SharedContext } from './restate-library.js';

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

/** An answer for one awakeable. */
export interface AwakeableAnswer extends PromisedAnswer {
  awakeable: string;
}

/** The handler that answers a question of the turn that is being worked on. Returns whether this was the first answer to an open one. */
export async function giveAnswer(name: string, context: SharedContext, answer: unknown): Promise<boolean> {
  if (!isRecord(answer))
    throw new InvalidOptionsError(
      ['answer'],
      '"answer" takes { id, result }: the id of a question, and the answer',
    );
  requireShape('id', answer['id'], filledText, { called: '"answer" of a conversation: "id"' });
  checkAnswer(answer['result']);
  const { id, result, by } = answer;
  const question = (await readKeptTurn(context))?.questions.find((each) => each.id === id);
  if (!question) return false;
  const { awakeable } = question;
  const parameter: AwakeableAnswer = { awakeable, result, ...(typeof by === 'string' && { by }) };
  // The server does not say whether an awakeable was completed before. But all calls with one idempotency key are one.
  const first = await context.genericCall({
    service: name,
    method: 'take',
    key: context.key,
    parameter: { ...parameter, mark: context.request().id },
    inputSerde: json<unknown>(),
    outputSerde: json<string>(),
    idempotencyKey: awakeable,
  });
  return first === context.request().id;
}

/** The handler that completes the awakeable of a question, once. Returns the mark of the answer that it has taken. */
export function takeAnswer(
  context: SharedContext,
  { awakeable, mark, ...answer }: AwakeableAnswer & { mark: string },
): string {
  context.resolveAwakeable(awakeable, answer);
  return mark;
}

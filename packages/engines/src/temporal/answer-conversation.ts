// Gives an answer and says whether it is the one that counts, also when the reply to it was lost, or when the workflow takes no update.
import { TemporalError } from '@inboard/core/errors.js';
import { digest } from '@inboard/core/util/digest.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import { findFailureOfType, isFull, type TemporalWorkflowHandle } from './client-library.js';
import { TURN_FAILURES, TURN_MESSAGES } from './workflow/message-names.js';
import { describeAnswer } from './workflow/open-turn.js';
import type { AnswerState } from './workflow/turn-answers.js';

/** Returns whether the answer counts: the first one to a question does, also when it is given again. */
export async function answerConversation(
  handle: TemporalWorkflowHandle,
  answer: QuestionAnswer,
): Promise<boolean> {
  try {
    const taken = await handle.executeUpdate(TURN_MESSAGES.answer, {
      args: [answer],
      // The same answer again is the same update, whose result the server keeps.
      updateId: `inboard-answer/${digest(describeAnswer(answer))}`,
    });
    return taken as boolean;
  } catch (error) {
    const refusal = findFailureOfType(error, TURN_FAILURES.answerRefused);
    if (refusal) throw refuse(refusal.message, error);
    if (!isFull(error)) throw error;
  }
  const before = await ask(handle, answer);
  if (before !== 'open') return read(before, answer);
  await handle.signal(TURN_MESSAGES.answer, answer);
  return read(await ask(handle, answer), answer);
}

async function ask(handle: TemporalWorkflowHandle, answer: QuestionAnswer): Promise<AnswerState> {
  return (await handle.query(TURN_MESSAGES.answered, answer)) as AnswerState;
}

function read(state: AnswerState, { id }: QuestionAnswer): boolean {
  if (state === 'taken') return true;
  if (state === 'other') return false;
  throw refuse(`The answer to "${id}" was not taken: ${REASONS[state]}`);
}

const REASONS: Readonly<Record<Exclude<AnswerState, 'taken' | 'other'>, string>> = {
  open: 'its signal has not arrived',
  unknown: 'no turn at work has such a question',
  wrong: 'it must be { id, result, by? }, with the result of allow() or deny()',
  'too large': 'the answers to the questions of its turn are too large together',
};

function refuse(message: string, cause?: unknown): TemporalError {
  return new TemporalError('TEMPORAL_ANSWER_REFUSED', message, cause === undefined ? {} : { cause });
}

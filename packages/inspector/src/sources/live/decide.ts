// Converts the decision of a person to an answer for the CLI or a queue, and an answer to the outcome that a page shows.
import { allow, answerQuestions, deny } from '@inboard/core/answer/permissions/decisions.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { isSameDeep } from '@inboard/core/util/same-deep.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { QuestionSettled } from '../../stream/inspector-event.js';
import type { Decision } from '../../stream/question.js';
import type { AskedFacts } from './present-question.js';

/** A decision that does not fit its question; the message says why. */
export class UnfitDecision extends Error {
  static override readonly name: string = 'UnfitDecision';
}

/** The answer, in the form that a callback for this kind of question returns. `input` is the real input with all edits. */
export function toAnswer(
  { kind, suggestions, input: asked }: AskedFacts,
  decision: Decision,
  input: Record<string, unknown>,
): unknown {
  const unfit = (): never => {
    throw new UnfitDecision(`"${decision.kind}" is not an answer to a question of the kind "${kind}".`);
  };
  if (kind === 'elicitation' || kind === 'dialog') return toDialogAnswer(kind, decision) ?? unfit();
  if (kind === 'pending') return toCompletion(decision) ?? unfit();
  switch (decision.kind) {
    case 'allow': {
      const remember = (decision.remember ?? []).map((index) => {
        const suggestion = suggestions[index];
        if (!suggestion) throw new UnfitDecision(`There is no suggestion ${index} to remember.`);
        return suggestion;
      });
      const isEdited = !isSameDeep(input, asked);
      return allow(
        withoutUndefined({
          input: isEdited ? input : undefined,
          remember: remember.length > 0 ? remember : undefined,
        }),
      );
    }
    case 'deny':
      return deny(decision.message, decision.interrupt === true ? { interrupt: true } : {});
    case 'submit':
      return kind === 'ask-user' ? answerQuestions(input, readAnswers(decision.content)) : unfit();
    case 'complete':
    case 'fail':
      return unfit();
    default:
      return kind === 'ask-user' ? deny('The person asked does not want to answer') : unfit();
  }
}

/** How a pending call ends: with a value, or with an error. */
export type PendingEnd = { value: unknown } | { error: string };

function toCompletion(decision: Decision): PendingEnd | undefined {
  if (decision.kind === 'complete') return { value: decision.value };
  return decision.kind === 'fail' ? { error: decision.message } : undefined;
}

function toDialogAnswer(kind: 'elicitation' | 'dialog', decision: Decision): unknown {
  const isDeclined = decision.kind === 'decline' || decision.kind === 'deny';
  if (kind === 'elicitation') {
    if (decision.kind === 'submit') return { action: 'accept', content: decision.content };
    if (decision.kind === 'allow') return { action: 'accept' };
    return isDeclined ? { action: 'decline' } : undefined;
  }
  if (decision.kind === 'submit') return { behavior: 'completed', result: decision.content };
  return isDeclined ? { behavior: 'cancelled' } : undefined;
}

function readAnswers(content: Record<string, unknown>): Record<string, string | string[]> {
  for (const [question, answer] of Object.entries(content)) {
    const isAnswer =
      typeof answer === 'string' ||
      (Array.isArray(answer) && answer.every((each) => typeof each === 'string'));
    if (!isAnswer)
      throw new UnfitDecision(`The answer to "${question}" must be a string, or a list of strings.`);
  }
  return content as Record<string, string | string[]>;
}

/** The outcome of a question, from its answer. The answer is undefined if the question was withdrawn. */
export function describeOutcome(
  { kind, input: asked }: AskedFacts,
  answer: unknown,
): Pick<QuestionSettled, 'outcome' | 'message' | 'isEdited'> {
  if (kind === 'pending') return describePendingEnd(answer as PendingEnd | undefined);
  if (!isRecord(answer)) return { outcome: 'withdrawn' };
  const { behavior, action, message, updatedInput, updatedPermissions } = answer;
  if (behavior === 'deny')
    return { outcome: 'denied', ...(typeof message === 'string' && message !== '' && { message }) };
  if (behavior === 'allow') {
    if (kind === 'ask-user') return { outcome: 'answered' };
    const isAlways = Array.isArray(updatedPermissions) && updatedPermissions.length > 0;
    const isEdited = updatedInput !== undefined && !isSameDeep(updatedInput, asked);
    return { outcome: isAlways ? 'allowed-always' : 'allowed', ...(isEdited && { isEdited }) };
  }
  return { outcome: action === 'accept' || behavior === 'completed' ? 'answered' : 'declined' };
}

function describePendingEnd(end: PendingEnd | undefined): Pick<QuestionSettled, 'outcome' | 'message'> {
  if (!end) return { outcome: 'over' };
  return 'error' in end ? { outcome: 'failed', message: end.error } : { outcome: 'completed' };
}

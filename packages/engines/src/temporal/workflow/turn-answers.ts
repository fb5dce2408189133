// Takes the messages that turns of a workflow wait for: answers, wakes and stops. One for all turns of a workflow.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { MOST_ANSWERS_BYTES } from './message-limits.js';
import { TURN_FAILURES, TURN_MESSAGES } from './message-names.js';
import type { TurnInWorkflow } from './open-turn.js';
import type { WorkflowLibrary } from './workflow-library.js';

const ANSWER_SHAPE =
  'An answer must be { id, result } or { id, result, by }, with the result of allow() or deny(), and a text as "by"';

const TOO_LARGE = `The answers to the questions of a turn may have ${MOST_ANSWERS_BYTES} bytes as JSON together. Answer with less, or stop the turn`;

/**
 * What a workflow knows of an answer: it counts, another one does, none has come yet, no turn at work has the question, or it would be
 * refused.
 */
export type AnswerState = 'taken' | 'other' | 'open' | 'unknown' | 'wrong' | 'too large';

/** What turns of a workflow wait for. */
export interface TurnAnswers {
  /** The open questions of all turns. */
  readonly questions: ApprovalQuestion[];
  /** The calls of all turns whose results come later. */
  readonly pending: AwaitedCall[];
  /** Takes an answer. Returns false if the question was answered before in another way. Throws an ApplicationFailure if there is no such question. */
  answer(answer: QuestionAnswer): boolean;
  /** Says that a pending call was completed. */
  wake(): void;
  /** Stops the turn with this id, or all turns: the model is told, and the outcome says `interrupted`. */
  stop(turn?: string): void;
}

/** One per workflow. */
export class WorkflowAnswers implements TurnAnswers {
  readonly #library: WorkflowLibrary;
  readonly #open = new Map<TurnInWorkflow, string>();
  #isListening = false;

  constructor(library: WorkflowLibrary) {
    this.#library = library;
  }

  get questions(): ApprovalQuestion[] {
    return [...this.#open.keys()].flatMap(({ questions }) => questions);
  }

  get pending(): AwaitedCall[] {
    return [...this.#open.keys()].flatMap(({ pending }) => pending);
  }

  answer(answer: QuestionAnswer): boolean {
    this.#check(answer);
    return this.#findAsker(answer.id)?.answer(answer) ?? false;
  }

  wake(): void {
    for (const open of this.#open.keys()) open.wake();
  }

  /** Other languages send null for an id that is not given. */
  stop(turn?: string | null): void {
    const wanted = turn ?? undefined;
    for (const [open, id] of this.#open) if (wanted === undefined || wanted === id) open.stop();
  }

  /** Sets the handlers of this workflow, once. */
  listen(onStop = (turn?: string | null): void => this.stop(turn)): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const { setHandler, defineSignal, defineUpdate, defineQuery, log } = this.#library;
    const take = setHandler as SetAnyHandler;
    take(defineUpdate(TURN_MESSAGES.answer), (answer: QuestionAnswer) => this.answer(answer), {
      validator: (answer: QuestionAnswer) => this.#check(answer),
    });
    take(defineSignal(TURN_MESSAGES.answer), (answer: QuestionAnswer) => {
      if (!isTurnAnswer(answer)) log.warn(`A signal with an answer was dropped. ${ANSWER_SHAPE}`);
      else this.#takeEarly(answer);
    });
    take(defineQuery(TURN_MESSAGES.answered), (answer: unknown) => this.#stateOf(answer));
    take(defineSignal(TURN_MESSAGES.wake), () => this.wake());
    take(defineSignal(TURN_MESSAGES.stop), onStop);
    take(defineQuery(TURN_MESSAGES.questions), () => this.questions);
    take(defineQuery(TURN_MESSAGES.pending), () => this.pending);
  }

  #stateOf(answer: unknown): AnswerState {
    if (!isTurnAnswer(answer)) return 'wrong';
    const asker = this.#findAsker(answer.id);
    if (!asker) return 'unknown';
    if (asker.hasAnswerTo(answer.id)) return asker.hasTaken(answer) ? 'taken' : 'other';
    return asker.hasRoomFor(answer) ? 'open' : 'too large';
  }

  /** From now on, the turn takes messages. Messages that came before the handlers were set arrive when they are set. */
  add(id: string, open: TurnInWorkflow): void {
    this.#open.set(open, id);
  }

  remove(open: TurnInWorkflow): void {
    this.#open.delete(open);
  }

  /** A person may be asked by the agent itself, and answer before the attempt has returned its questions. */
  #takeEarly(answer: QuestionAnswer): void {
    const asker = this.#findAsker(answer.id);
    for (const open of asker ? [asker] : this.#open.keys()) {
      if (open.hasRoomFor(answer)) open.answer(answer);
      else this.#library.log.warn(`A signal with an answer was dropped. ${TOO_LARGE}`, { id: answer.id });
    }
  }

  #check(answer: unknown): void {
    if (!isTurnAnswer(answer)) throw this.#refuse(ANSWER_SHAPE);
    const asker = this.#findAsker(answer.id);
    if (asker && !asker.hasRoomFor(answer)) throw this.#refuse(TOO_LARGE);
    if (asker) return;
    const ids = this.questions.map(({ id }) => `"${id}"`);
    throw this.#refuse(
      `No question "${answer.id}" is open. ${ids.length === 0 ? 'There is none' : `Open are ${ids.join(', ')}`}`,
    );
  }

  #findAsker(id: string): TurnInWorkflow | undefined {
    return [...this.#open.keys()].find((open) => open.knows(id));
  }

  #refuse(message: string): Error {
    return this.#library.ApplicationFailure.create({
      message,
      type: TURN_FAILURES.answerRefused,
      nonRetryable: true,
    });
  }
}

/** `setHandler` for handlers of any message. Their arguments are checked where they are used. */
export type SetAnyHandler = <Args extends unknown[]>(
  definition: unknown,
  handler: (...args: Args) => unknown,
  options?: { validator?: (...args: Args) => void },
) => void;

/** Anybody may have signalled it. An answer that no attempt can take would fail the turn for good. */
export function isTurnAnswer(value: unknown): value is QuestionAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { id, result, by } = value as { id?: unknown; result?: unknown; by?: unknown };
  if (typeof id !== 'string' || typeof result !== 'object' || result === null) return false;
  if (by !== undefined && typeof by !== 'string') return false;
  const { behavior, message } = result as { behavior?: unknown; message?: unknown };
  return behavior === 'allow' || (behavior === 'deny' && typeof message === 'string');
}

// A turn between its attempts, as the workflow knows it: what it waits for, and which answers have come. It is plain JSON when it is
// carried to the next run of the workflow.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { countBytes, MOST_ANSWERS_BYTES } from './message-limits.js';

/** What a run of a workflow hands to the next one about a turn. */
export interface CarriedTurn {
  answers: QuestionAnswer[];
  questions: ApprovalQuestion[];
  pending: AwaitedCall[];
  costUsd: number;
  isWoken: boolean;
  isStopped: boolean;
}

/** The same text for the same answer of the same person. */
export function describeAnswer({ id, result, by }: QuestionAnswer): string {
  return JSON.stringify([id, result, by ?? null]);
}

/** What an attempt cost. In histories of earlier versions, it is called `costUsd`. The code of workflows imports nothing. */
function costOf(outcome: AttemptOutcome): number {
  const earlier = outcome as { costUsd?: number };
  return outcome.turnCostUsd ?? earlier.costUsd ?? 0;
}

/** One per turn. */
export class TurnInWorkflow {
  readonly #answers: Map<string, QuestionAnswer>;
  #questions: readonly ApprovalQuestion[];
  #pending: readonly AwaitedCall[];
  #costUsd: number;
  #isWoken: boolean;
  #isStopped: boolean;
  /** Cancels the attempt that runs. */
  onStop: (() => void) | undefined;

  constructor(carried?: CarriedTurn) {
    this.#answers = new Map((carried?.answers ?? []).map((answer) => [answer.id, answer]));
    this.#questions = carried?.questions ?? [];
    this.#pending = carried?.pending ?? [];
    this.#costUsd = carried?.costUsd ?? 0;
    this.#isWoken = carried?.isWoken ?? false;
    this.#isStopped = carried?.isStopped ?? false;
  }

  /** All answers to questions of this turn. */
  get answers(): QuestionAnswer[] {
    return [...this.#answers.values()];
  }

  /** The questions without an answer. */
  get questions(): ApprovalQuestion[] {
    return this.#questions.filter(({ id }) => !this.#answers.has(id));
  }

  get pending(): AwaitedCall[] {
    return [...this.#pending];
  }

  /** What the attempts cost that have returned. */
  get costUsd(): number {
    return this.#costUsd;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether the next attempt has something to do. */
  get isReady(): boolean {
    return this.#isWoken || this.#isStopped || this.#questions.some(({ id }) => this.#answers.has(id));
  }

  /** What came while the attempt before was at work counts for this one. */
  beginAttempt(): void {
    this.#isWoken = false;
  }

  /** Takes over what an attempt waits for. */
  note(end: AttemptEnd): void {
    switch (end.state) {
      case 'waiting':
        this.#questions = end.questions;
        this.#pending = end.pending;
        this.#costUsd += end.turnCostUsd;
        break;
      case 'ended':
        this.#questions = [];
        this.#pending = [];
        this.#costUsd += costOf(end.outcome);
        break;
      default:
    }
  }

  /** Whether a question with this id is open, or was answered in this turn. */
  knows(id: string): boolean {
    return this.#answers.has(id) || this.#questions.some((question) => question.id === id);
  }

  /** Whether this answer can be kept beside the others: every attempt gets all of them. */
  hasRoomFor(answer: QuestionAnswer): boolean {
    return this.#answers.has(answer.id) || countBytes([...this.answers, answer]) <= MOST_ANSWERS_BYTES;
  }

  /** Keeps an answer. Returns whether it counts: the first one to a question does, also when it is given again. */
  answer(answer: QuestionAnswer): boolean {
    if (!this.#answers.has(answer.id)) this.#answers.set(answer.id, answer);
    return this.hasTaken(answer);
  }

  /** Whether this answer is the one that counts. */
  hasTaken(answer: QuestionAnswer): boolean {
    const taken = this.#answers.get(answer.id);
    return taken !== undefined && describeAnswer(taken) === describeAnswer(answer);
  }

  /** Whether the question was answered. */
  hasAnswerTo(id: string): boolean {
    return this.#answers.has(id);
  }

  wake(): void {
    this.#isWoken = true;
  }

  stop(): void {
    this.#isStopped = true;
    this.onStop?.();
  }

  carry(): CarriedTurn {
    return {
      answers: this.answers,
      questions: [...this.#questions],
      pending: this.pending,
      costUsd: this.#costUsd,
      isWoken: this.#isWoken,
      isStopped: this.#isStopped,
    };
  }
}

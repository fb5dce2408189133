// The answers of people to the questions of one chat. A decision comes with the page's next message or through the approvals
// route. Both hand it to `take`, which checks the decision, gives it to the queue, and returns its outcome.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { ListedQuestion } from '../history/listed-question.js';
import type { ChatQuestions } from './chat-questions.js';
import type { ChatRun } from './chat-run.js';
import type { ApprovalDecision } from './read-post.js';
import { badRequest, ChatRefusal, respondWithJson } from './chat-refusal.js';

/** Checks an input that a person changed. Throws if the input is not accepted. */
export type InputCheck = (
  decision: ApprovalDecision & { input: Record<string, unknown> },
  question: Pick<ListedQuestion, 'toolName' | 'input'>,
) => Promise<void>;

/**
 * The outcome of a decision.
 * - `answered`: the question was open, and this is its answer.
 * - `kept`: a crash or a restart took the question away. The decision answers it when the CLI asks again.
 * - `double`: the question was open, but another answer reached the queue first.
 * - `late`: the question was answered before the decision came.
 * - `unknown`: this chat has asked no such question during the current message, or it was withdrawn for good.
 */
export type AnswerOutcome = 'answered' | 'kept' | 'unknown' | EarlierAnswer;

/** A question that had an answer before the decision came. */
export interface EarlierAnswer {
  outcome: 'double' | 'late';
  by?: string | undefined;
  at?: number | undefined;
}

const REFUSED = 'The user refused this.';
/** How many decisions may wait for their questions. A page rarely has more than one. */
const MOST_KEPT = 100;
/** Milliseconds between two attempts to answer a question that its store has not noted yet. */
const RETRY_MS = 20;
/** How often a question that its store has not noted yet is answered again. */
const MOST_TRIES = 100;

/** The answers of one chat. They end with the chat's questions. */
export class ChatAnswers {
  readonly #questions: ChatQuestions;
  readonly #approvals: Approvals;
  readonly #checkInput: InputCheck;
  /** Decisions by question. The CLI is expected to ask these questions again. */
  readonly #kept = new Map<string, ApprovalDecision>();

  constructor(
    questions: ChatQuestions,
    { approvals, checkInput }: { approvals: Approvals; checkInput: InputCheck },
  ) {
    this.#questions = questions;
    this.#approvals = approvals;
    this.#checkInput = checkInput;
  }

  /** Takes a decision. `run` is the current answer. Throws a ChatRefusal for an input that is not accepted. */
  async take(
    decision: ApprovalDecision,
    run: Pick<ChatRun, 'isOver' | 'isStopped' | 'isContinued'> | undefined,
  ): Promise<AnswerOutcome> {
    const { approvalId } = decision;
    // The queue may hold questions of other chats. This visitor may answer only those of this chat.
    const question = this.#questions.find(approvalId);
    if (question) return await this.#giveOnce(decision, question);
    const ending = this.#questions.endingOf(approvalId);
    const mayComeAgain = ending?.how === 'withdrawn' || (ending === undefined && run?.isContinued === true);
    if (run && !run.isOver && !run.isStopped && mayComeAgain) {
      this.#keep(decision);
      return 'kept';
    }
    return ending?.how === 'answered' ? { outcome: 'late', by: ending.by, at: ending.at } : 'unknown';
  }

  /** Notes that a question is open. If a decision was kept for it, the decision is given now. */
  asked(approvalId: string): void {
    const decision = this.#kept.get(approvalId);
    if (!decision) return;
    this.#kept.delete(approvalId);
    void this.#giveKept(decision);
  }

  /** Drops the kept decisions. The message is over, so its questions are not asked again. */
  forget(): void {
    this.#kept.clear();
  }

  #keep(decision: ApprovalDecision): void {
    const { approvalId } = decision;
    if (this.#kept.size >= MOST_KEPT && !this.#kept.has(approvalId)) {
      throw new ChatRefusal(
        429,
        'TOO_MANY_ANSWERS',
        'Too many answers are waiting for their questions. Please try again when the agent asks.',
      );
    }
    this.#kept.set(approvalId, decision);
  }

  /**
   * Gives a decision. A question that was asked a moment ago may not be in its store yet. So the store is asked again while it
   * does not have the question.
   */
  async #giveOnce(decision: ApprovalDecision, question: ListedQuestion): Promise<AnswerOutcome> {
    for (let tries = 0; ; tries += 1) {
      if (await this.#give(decision, question)) return 'answered';
      const stored = await this.#find(decision.approvalId);
      if (stored || tries >= MOST_TRIES || !this.#questions.find(decision.approvalId)) {
        const { by, answeredAt: at } = stored?.answer ?? {};
        return { outcome: 'double', by, at };
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #find(id: string): Promise<Approval | undefined> {
    return (await this.#approvals.list({ answered: true })).find((each) => each.id === id);
  }

  async #give(decision: ApprovalDecision, question: ListedQuestion): Promise<boolean> {
    const { approvalId, approved, reason, input, from } = decision;
    if (input) await this.#checkInput({ ...decision, input }, question);
    const result = approved ? allow({ input }) : deny(reason || REFUSED);
    try {
      return await this.#approvals.answer(approvalId, result, { by: from?.by });
    } catch (error) {
      if (!(error instanceof InvalidOptionsError)) throw error;
      throw badRequest(`input of ${approvalId}`, error.message);
    }
  }

  /** Tries again until the question is settled, because its store may note it late, or may be unreachable for a while. */
  async #giveKept(decision: ApprovalDecision): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const question = this.#questions.find(decision.approvalId);
      if (!question) return;
      try {
        if (await this.#give(decision, question)) return;
      } catch (error) {
        // The input is not accepted. The question stays open, and the person has to decide again.
        if (error instanceof ChatRefusal) return;
      }
    }
  }
}

/** The response of the approvals route. Refuses a decision that changed nothing. */
export function respondWithOutcome(outcome: AnswerOutcome): Response {
  if (outcome === 'answered') return respondWithJson(200, { answered: true });
  if (outcome === 'kept') return respondWithJson(202, { answered: false });
  if (outcome === 'unknown') throw noSuchApproval();
  throw alreadyAnswered(outcome);
}

/** The refusal of an answer to a question that is not open in this chat. */
export function noSuchApproval(): ChatRefusal {
  return new ChatRefusal(404, 'NO_SUCH_APPROVAL', 'This question is not open in this chat.');
}

/** The refusal of a second answer. It tells who gave the first, and when, if that is known. */
export function alreadyAnswered({ by, at }: Pick<EarlierAnswer, 'by' | 'at'>): ChatRefusal {
  const message =
    by === undefined ? 'This question was answered already.' : `${by} answered this question already.`;
  return new ChatRefusal(409, 'ALREADY_ANSWERED', message, {}, withoutUndefined({ by, at }));
}

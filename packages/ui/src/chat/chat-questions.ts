// The questions of one chat that wait for people: those of the CLI before a tool runs, and those of tool handlers. The queue of
// approvals keeps them. This file adds the call that each question is about, and remembers how past questions ended.
import { deny } from '@inboard/core/answer/permissions/decisions.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { findAskedProblem } from '@inboard/core/answer/permissions/permission-questions.js';
import {
  isAskedWith,
  watchQueues,
  type WaitingQuestion,
} from '@inboard/core/answer/permissions/approvals/queue-registry.js';
import { whenRecorded } from '@inboard/core/answer/permissions/when-recorded.js';
import type {
  CanUseTool,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
import { describeHeld, describePermission, type ListedQuestion } from '../history/listed-question.js';
import { answerFactsOf } from '../stream/answer-facts.js';
import type { AnswerFacts, ApprovalFacts } from '../stream/tool-calls.js';

/** The listener for changes to the questions of a chat. */
export interface ChatQuestionListener {
  asked(facts: ApprovalFacts): void;
  answered(facts: AnswerFacts): void;
  withdrawn(approvalId: string): void;
}

/**
 * How a question ended. If the CLI crashes, its questions are withdrawn, and the CLI may ask them again. An answer has its time,
 * in milliseconds since 1970, and the name of the person who gave it, if that is known.
 */
export type QuestionEnding = { how: 'withdrawn' } | { how: 'answered'; by?: string | undefined; at: number };

/** The questions of one chat. The chat closes them. */
export class ChatQuestions {
  readonly #approvals: Approvals;
  readonly #listener: ChatQuestionListener;
  readonly #isOurs: (waiting: WaitingQuestion) => boolean;
  readonly #open = new Map<string, ListedQuestion>();
  /** How the questions of the current message ended. */
  readonly #endings = new Map<string, QuestionEnding>();
  /** Who answered the open questions of the CLI, as the queue says just before they are settled. */
  readonly #by = new Map<string, string | undefined>();
  /** Callers that wait for a question to be asked again, by its id. */
  readonly #awaited = new Map<string, Set<() => void>>();
  readonly #unwatch: () => void;

  constructor(
    approvals: Approvals,
    {
      listener,
      isOurs,
    }: {
      listener: ChatQuestionListener;
      isOurs: (waiting: WaitingQuestion) => boolean;
    },
  ) {
    this.#approvals = approvals;
    this.#listener = listener;
    this.#isOurs = isOurs;
    this.#unwatch = watchQueues({
      asked: (waiting) => {
        if (this.#isHeld(waiting)) this.#ask(describeHeld(waiting.question, toolUseIdOf(waiting)));
      },
      settled: (waiting, result, by) => {
        const { id } = waiting.question;
        if (this.#isHeld(waiting)) this.#settle(id, result, by);
        else if (isAskedWith(waiting, this.#approvals) && this.#open.has(id)) this.#by.set(id, by);
      },
    });
  }

  /** The open questions, oldest first. */
  list(): ListedQuestion[] {
    return [...this.#open.values()];
  }

  /** An open question. Undefined if there is none with this id. */
  find(approvalId: string): ListedQuestion | undefined {
    return this.#open.get(approvalId);
  }

  /** How a question of the current message ended. Undefined if it is open, or if the chat does not know it. */
  endingOf(approvalId: string): QuestionEnding | undefined {
    return this.#endings.get(approvalId);
  }

  /**
   * Resolves with whether a question is open, within some milliseconds or until the promise `over` settles. After a restart, a
   * question is asked again a moment after its session is opened.
   */
  async whenAsked(
    approvalId: string,
    { withinMs, over }: { withinMs: number; over: Promise<void> },
  ): Promise<boolean> {
    if (this.#open.has(approvalId)) return true;
    // An answered question is not asked again.
    if (this.#endings.get(approvalId)?.how === 'answered') return false;
    const callers = this.#awaited.get(approvalId) ?? new Set();
    this.#awaited.set(approvalId, callers);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wake: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, withinMs);
    });
    callers.add(wake);
    try {
      await Promise.race([asked, over]);
      return this.#open.has(approvalId);
    } finally {
      clearTimeout(timer);
      callers.delete(wake);
      if (callers.size === 0) this.#awaited.delete(approvalId);
    }
  }

  /** Drops the endings, because another message begins. */
  forgetEndings(): void {
    this.#endings.clear();
  }

  /** The permission callback of the chat's session. */
  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    const id = options.callKey ?? `request_${options.requestId}`;
    const found = findAskedProblem(options.requestId, input);
    const problem = found && (await found);
    if (problem !== undefined) return deny(problem);
    await whenRecorded();
    const { toolUseID: toolCallId, attempt = 1 } = options;
    const askedAt = Date.now();
    this.#ask(describePermission({ approvalId: id, toolCallId, toolName, input, attempt, askedAt }, options));
    try {
      const result = await this.#approvals.canUseTool(toolName, input, options);
      this.#settle(id, result ?? undefined, this.#by.get(id));
      return result;
    } catch (error) {
      // If the CLI has not withdrawn the question, the store is unreachable. The question then stays open, and is asked again.
      if (options.signal.aborted) this.#settle(id, undefined, undefined);
      throw error;
    }
  };

  close(): void {
    this.#unwatch();
    this.#open.clear();
    this.#endings.clear();
  }

  #isHeld(waiting: WaitingQuestion): boolean {
    return isAskedWith(waiting, this.#approvals) && waiting.question.kind === 'tool' && this.#isOurs(waiting);
  }

  #ask(question: ListedQuestion): void {
    const { approvalId } = question;
    if (this.#open.has(approvalId)) return;
    this.#open.set(approvalId, question);
    this.#endings.delete(approvalId);
    this.#listener.asked(question);
    for (const wake of this.#awaited.get(approvalId) ?? []) wake();
  }

  #settle(approvalId: string, result: PermissionResult | undefined, by: string | undefined): void {
    const question = this.#open.get(approvalId);
    if (!question) return;
    this.#open.delete(approvalId);
    this.#by.delete(approvalId);
    this.#endings.set(approvalId, result ? { how: 'answered', by, at: Date.now() } : { how: 'withdrawn' });
    if (!result) {
      this.#listener.withdrawn(approvalId);
      return;
    }
    this.#listener.answered(answerFactsOf(question, result, by));
  }
}

/** The call whose handler asks. Its context is the second argument of the handler. */
function toolUseIdOf({ context }: WaitingQuestion): unknown {
  return (context as { toolUseId?: unknown } | undefined)?.toolUseId;
}

// The questions of one chat that wait for people: those of the CLI before a tool runs, and those of tool handlers. The queue of
// approvals keeps them. This file adds the call that each question is about, and remembers how past questions ended.
import { deny } from '@inboard/core/answer/permissions/decisions.js';
import type { Approval, ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { findAskedProblem } from '@inboard/core/answer/permissions/permission-questions.js';
import {
  isAskedWith,
  watchQueues,
  type WaitingQuestion,
} from '@inboard/core/answer/permissions/approvals/queue-registry.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
import type { AnswerFacts, ApprovalFacts } from '../stream/tool-calls.js';

/** The listener for changes to the questions of a chat. */
export interface ChatQuestionListener {
  asked(facts: ApprovalFacts): void;
  answered(facts: AnswerFacts): void;
  withdrawn(approvalId: string): void;
}

/** A question that waits, in the form that the approvals route lists. */
export interface ListedQuestion {
  approvalId: string;
  toolCallId: string | undefined;
  toolName: string;
  input: unknown;
  reason?: string | undefined;
  descriptor: ApprovalFacts['descriptor'];
  /** Milliseconds since 1970. */
  askedAt: number;
}

/** How a question ended. If the CLI crashes, its questions are withdrawn, and the CLI may ask them again. */
export type QuestionEnding = 'answered' | 'withdrawn';

/** The questions of one chat. The chat closes them. */
export class ChatQuestions {
  readonly #approvals: Approvals;
  readonly #listener: ChatQuestionListener;
  readonly #isOurs: (waiting: WaitingQuestion) => boolean;
  readonly #open = new Map<string, ListedQuestion>();
  /** How the questions of the current message ended. */
  readonly #endings = new Map<string, QuestionEnding>();
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
        if (this.#isHeld(waiting)) this.#ask(describeHeld(waiting));
      },
      settled: (waiting, result) => {
        if (this.#isHeld(waiting)) this.#settle(waiting.question.id, result);
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
    this.#ask(describePermission(id, toolName, input, options));
    try {
      const result = await this.#approvals.canUseTool(toolName, input, options);
      this.#settle(id, result ?? undefined);
      return result;
    } catch (error) {
      // If the CLI has not withdrawn the question, the store is unreachable. The question then stays open, and is asked again.
      if (options.signal.aborted) this.#settle(id, undefined);
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
  }

  #settle(approvalId: string, result: PermissionResult | undefined): void {
    if (!this.#open.delete(approvalId)) return;
    this.#endings.set(approvalId, result ? 'answered' : 'withdrawn');
    if (!result) {
      this.#listener.withdrawn(approvalId);
      return;
    }
    const isAllowed = result.behavior === 'allow';
    this.#listener.answered({
      approvalId,
      approved: isAllowed,
      ...(isAllowed ? { input: result.updatedInput } : { reason: result.message }),
    });
  }
}

function describePermission(
  approvalId: string,
  toolName: string,
  input: unknown,
  options: CanUseToolOptions,
): ListedQuestion {
  const { toolUseID, title, description, attempt = 1, blockedPath, defaultToNo, agentID } = options;
  return withoutUndefined({
    approvalId,
    toolCallId: toolUseID,
    toolName,
    input,
    reason: options.decisionReason,
    descriptor: withoutUndefined({
      kind: 'permission' as const,
      title,
      description,
      attempt,
      blockedPath,
      defaultToNo,
      agentId: agentID,
    }),
    askedAt: Date.now(),
  });
}

function describeHeld({ question, context }: WaitingQuestion): ListedQuestion {
  const { id, title, description, input, attempt, askedAt, agentID }: ApprovalQuestion | Approval = question;
  const { toolUseId } = (context ?? {}) as { toolUseId?: unknown };
  return withoutUndefined({
    approvalId: id,
    toolCallId: typeof toolUseId === 'string' ? toolUseId : undefined,
    toolName: question.toolName ?? 'question',
    input,
    descriptor: withoutUndefined({
      kind: 'held' as const,
      title,
      description,
      input,
      attempt,
      agentId: agentID,
    }),
    askedAt,
  });
}

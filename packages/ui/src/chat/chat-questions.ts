// The questions of one chat that wait for people: those of the CLI before a tool runs, and those of tools' own handlers. They are
// kept by the queue of approvals; here is what the chat has to know besides, which call each is about.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
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
import type { ApprovalDecision } from './read-post.js';
import { badRequest, Refusal } from './refusal.js';

/** Hears of the questions of a chat. */
export interface QuestionListener {
  asked(facts: ApprovalFacts): void;
  answered(facts: AnswerFacts): void;
  withdrawn(approvalId: string): void;
}

/** A question that waits, as the side endpoint lists it. */
export interface OpenQuestion {
  approvalId: string;
  toolCallId: string | undefined;
  toolName: string;
  input: unknown;
  reason?: string | undefined;
  descriptor: ApprovalFacts['descriptor'];
  /** Milliseconds since the epoch. */
  askedAt: number;
}

/** Refuses an input that a person changed. */
export type InputCheck = (
  decision: ApprovalDecision & { input: Record<string, unknown> },
  toolName: string,
) => Promise<void>;

const REFUSED = 'The user refused this.';
/** Answers that wait for their question; a page has hardly more than one. */
const MOST_EARLY = 100;
/** Milliseconds between two tries to answer a question that its store has not noted yet. */
const RETRY_MS = 20;

/** One per chat; whoever makes one closes it. */
export class ChatQuestions {
  readonly #approvals: Approvals;
  readonly #listener: QuestionListener;
  readonly #isOurs: (waiting: WaitingQuestion) => boolean;
  readonly #checkInput: InputCheck;
  readonly #open = new Map<string, OpenQuestion>();
  /** Answers to questions that were open before a restart, until they are asked again. */
  readonly #early = new Map<string, ApprovalDecision>();
  readonly #unwatch: () => void;

  constructor(
    approvals: Approvals,
    {
      listener,
      isOurs,
      checkInput,
    }: {
      listener: QuestionListener;
      isOurs: (waiting: WaitingQuestion) => boolean;
      checkInput: InputCheck;
    },
  ) {
    this.#approvals = approvals;
    this.#listener = listener;
    this.#isOurs = isOurs;
    this.#checkInput = checkInput;
    this.#unwatch = watchQueues({
      asked: (waiting) => {
        if (this.#isHeld(waiting)) this.#ask(describeHeld(waiting));
      },
      settled: (waiting, result) => {
        if (this.#isHeld(waiting)) this.#settle(waiting.question.id, result);
      },
    });
  }

  /** What waits, oldest first. */
  list(): OpenQuestion[] {
    return [...this.#open.values()];
  }

  has(approvalId: string): boolean {
    return this.#open.has(approvalId);
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
      // A store that is away: the question stays open, and comes again.
      if (options.signal.aborted) this.#settle(id, undefined);
      throw error;
    }
  };

  /** Answers a question of this chat; false for another, and when somebody was faster. Throws for an input that is refused. */
  async answer(decision: ApprovalDecision, by?: string): Promise<boolean> {
    const { approvalId, approved, reason, input } = decision;
    const question = this.#open.get(approvalId);
    // The queue may have the questions of other chats, too, and those are not this visitor's.
    if (!question) return false;
    if (input) await this.#checkInput({ ...decision, input }, question.toolName);
    const result = approved ? allow({ input }) : deny(reason || REFUSED);
    try {
      return await this.#approvals.answer(approvalId, result, { by });
    } catch (error) {
      if (!(error instanceof InvalidOptionsError)) throw error;
      throw badRequest(`input of ${approvalId}`, error.message);
    }
  }

  /** Keeps an answer until its question is asked, which a CLI that goes on after a restart does. */
  answerLater(decision: ApprovalDecision): void {
    if (this.#early.size < MOST_EARLY) this.#early.set(decision.approvalId, decision);
  }

  close(): void {
    this.#unwatch();
    this.#open.clear();
    this.#early.clear();
  }

  #isHeld(waiting: WaitingQuestion): boolean {
    return isAskedWith(waiting, this.#approvals) && waiting.question.kind === 'tool' && this.#isOurs(waiting);
  }

  #ask(question: OpenQuestion): void {
    const { approvalId } = question;
    if (this.#open.has(approvalId)) return;
    this.#open.set(approvalId, question);
    this.#listener.asked(question);
    const early = this.#early.get(approvalId);
    if (!early) return;
    this.#early.delete(approvalId);
    void this.#answerEarly(early);
  }

  /** The question is there, but its store takes its time to note it, and may be away for a while. */
  async #answerEarly(decision: ApprovalDecision): Promise<void> {
    while (this.#open.has(decision.approvalId)) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      try {
        if (await this.answer(decision)) return;
      } catch (error) {
        // The person has to look again: the question stays open.
        if (error instanceof Refusal) return;
      }
    }
  }

  #settle(approvalId: string, result: PermissionResult | undefined): void {
    if (!this.#open.delete(approvalId)) return;
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
): OpenQuestion {
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

function describeHeld({ question, context }: WaitingQuestion): OpenQuestion {
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

// The questions of one attempt to people. Answers that people gave since an earlier attempt are used as soon as their questions
// are asked again, each once. The other questions stay open, and the attempt ends with them when nothing else happens.
import { firstIdOf } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import { createApprovals, type Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
} from '@inboard/core/answer/permissions/approvals/approval.js';
import { createMemoryApprovalStore } from '@inboard/core/answer/permissions/approvals/memory-approval-store.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type {
  CanUseTool,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';

/** The answer of a person to a question of an earlier attempt. */
export interface QuestionAnswer {
  /** The id of the question. */
  id: string;
  /** What `allow()` or `deny()` returned. */
  result: PermissionResult;
  /** Who answered. */
  by?: string | undefined;
}

/** An open question, with the call that it is about. */
interface OpenQuestion {
  question: ApprovalQuestion;
  toolUseId: string | undefined;
  waiters: number;
}

export interface AttemptQuestionsInput {
  readonly answers: readonly QuestionAnswer[];
  /** Throws once the attempt must not do anything any more. */
  readonly demand: () => void;
  /** Called when a question is asked or settled. */
  readonly onChange: () => void;
}

/** One per attempt. It is closed with its session. */
export class AttemptQuestions implements Pick<Approvals, 'canUseTool' | 'ask'> {
  readonly #input: AttemptQuestionsInput;
  readonly #answers: QuestionAnswer[];
  readonly #queue: Approvals;
  /** By the first ids of the questions. */
  readonly #open = new Map<string, OpenQuestion>();
  #isClosed = false;
  /** The question that was stored last. */
  #put: ApprovalQuestion | undefined;

  constructor(input: AttemptQuestionsInput) {
    this.#input = input;
    this.#answers = [...input.answers];
    const memory = createMemoryApprovalStore();
    this.#queue = createApprovals({
      store: {
        ...memory,
        put: async (question) => {
          this.#put = question;
          const open = this.#open.get(firstIdOf(question.id));
          if (open) open.question = question;
          const given = await memory.put(question);
          return given ?? this.#takeAnswer(question);
        },
      },
    });
  }

  /** The questions that wait for an answer, oldest first. */
  get open(): ApprovalQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** The ids that the model gave the calls with open questions. */
  get toolUseIds(): string[] {
    return [...this.#open.values()].flatMap(({ toolUseId }) => toolUseId ?? []);
  }

  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    try {
      const ask = (): Promise<PermissionResult | null> => this.#queue.canUseTool(toolName, input, options);
      return await this.#whileOpen(ask, options.toolUseID);
    } catch (error) {
      // The CLI is gone, or about to be. The question waits for the next attempt.
      if (this.#isClosed) return null;
      throw error;
    }
  };

  readonly ask: Approvals['ask'] = async (request, context = {}) => {
    const { toolUseId } = context as { toolUseId?: string };
    const answer = await this.#whileOpen(() => this.#queue.ask(request, context), toolUseId);
    // The handler may have an effect from now on.
    this.#input.demand();
    return answer;
  };

  /** Ends all waiting in this process. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
  }

  /**
   * The answer to a question. A question that is asked again after an answer that could not be used has a new id, so the newest
   * answer to the same question counts.
   */
  #takeAnswer({ id }: ApprovalQuestion): ApprovalAnswer | undefined {
    const index = this.#answers.findLastIndex((answer) => answer.id === id);
    const at = index < 0 ? this.#answers.findLastIndex((answer) => firstIdOf(answer.id) === id) : index;
    const [taken] = at < 0 ? [] : this.#answers.splice(at, 1);
    return taken && withoutUndefined({ result: taken.result, by: taken.by, answeredAt: clock.Date.now() });
  }

  async #whileOpen<T>(ask: () => Promise<T>, toolUseId: string | undefined): Promise<T> {
    this.#put = undefined;
    const answer = ask();
    // The queue stores the question synchronously, unless the tool would refuse the call. Then it asks no person.
    const question = this.#put as ApprovalQuestion | undefined;
    if (!question) return await answer;
    const id = firstIdOf(question.id);
    const open = this.#open.get(id) ?? { question, toolUseId, waiters: 0 };
    open.waiters += 1;
    this.#open.set(id, open);
    this.#input.onChange();
    try {
      return await answer;
    } finally {
      open.waiters -= 1;
      if (open.waiters === 0) this.#open.delete(id);
      this.#input.onChange();
    }
  }
}

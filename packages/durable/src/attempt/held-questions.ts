// The questions that the session of a conversation asks people, and which of them are open. Where questions and answers are kept is
// up to the store: attempts and the workers of a cluster have their own.
import { AsyncLocalStorage } from 'node:async_hooks';
import { firstIdOf } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import { createApprovals, type Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type { ApprovalQuestion, ApprovalStore } from '@inboard/core/answer/permissions/approvals/approval.js';
import { PermissionUnavailableError } from '@inboard/core/errors.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';

/** A question that waits for an answer. */
interface OpenQuestion {
  question: ApprovalQuestion;
  /** The id that the model gave the call that it is about. */
  readonly toolUseId: string | undefined;
  waiters: number;
}

/** One request for an answer. The tool may need time to check the input before its question is stored. */
interface Asking {
  readonly toolUseId: string | undefined;
  /** The id under which its question was stored first. */
  id?: string;
}

export interface HeldQuestionsInput {
  readonly store: ApprovalStore;
  /** Called when a question is asked or settled. */
  readonly onChange: () => void;
}

/** One per session. It is closed with its session. */
export class HeldQuestions implements Pick<Approvals, 'canUseTool' | 'ask'> {
  readonly #onChange: () => void;
  readonly #queue: Approvals;
  readonly #asking = new AsyncLocalStorage<Asking>();
  /** By the first ids of the questions. */
  readonly #open = new Map<string, OpenQuestion>();
  #isClosed = false;
  /** Set while answers are held back. */
  #held: Deferred<void> | undefined;

  constructor({ store, onChange }: HeldQuestionsInput) {
    this.#onChange = onChange;
    this.#queue = createApprovals({
      store: {
        ...store,
        put: (question) => {
          const stored = store.put(question);
          this.#note(question);
          return stored;
        },
      },
    });
  }

  /** The questions that wait for an answer, oldest first. Of a question that was asked again, the newest form. */
  get open(): ApprovalQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** The ids that the model gave the calls with open questions. */
  get toolUseIds(): string[] {
    return [...this.#open.values()].flatMap(({ toolUseId }) => toolUseId ?? []);
  }

  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    try {
      return await this.#whileOpen(options.toolUseID, () => this.#queue.canUseTool(toolName, input, options));
    } catch (error) {
      // The CLI is gone, or about to be. The question waits for the next CLI.
      if (this.#isClosed) return null;
      throw error;
    }
  };

  readonly ask: Approvals['ask'] = async (request, context = {}) => {
    const { toolUseId } = context as { toolUseId?: string };
    return await this.#whileOpen(toolUseId, () => this.#queue.ask(request, context));
  };

  /** Holds answers back, because the CLI that asked is about to be ended. */
  hold(): void {
    this.#held ??= createQuietDeferred();
  }

  /** Lets answers through again, because the CLI goes on. */
  goOn(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Ends all waiting in this process. The questions stay in the store. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    this.#held?.reject(new PermissionUnavailableError('The turn is left', { retryAfterMs: Infinity }));
  }

  async #whileOpen<T>(toolUseId: string | undefined, ask: () => Promise<T>): Promise<T> {
    const asking: Asking = { toolUseId };
    try {
      const answer = await this.#asking.run(asking, ask);
      await this.#held?.promise;
      return answer;
    } finally {
      this.#settle(asking);
    }
  }

  /** Notes that a question is stored: for the first time, or again because its answer could not be used. */
  #note(question: ApprovalQuestion): void {
    const asking = this.#asking.getStore();
    const id = firstIdOf(question.id);
    const known = this.#open.get(id);
    if (known) known.question = question;
    if (!asking || asking.id !== undefined) return;
    asking.id = id;
    const open = known ?? { question, toolUseId: asking.toolUseId, waiters: 0 };
    open.waiters += 1;
    this.#open.set(id, open);
    this.#onChange();
  }

  #settle({ id }: Asking): void {
    const open = id === undefined ? undefined : this.#open.get(id);
    if (!open) return;
    open.waiters -= 1;
    if (open.waiters === 0) this.#open.delete(id as string);
    this.#onChange();
  }
}

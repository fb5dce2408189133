// The questions of one session to people. They are asked under the lease, stored in the journal, and answered from any process.
// This file knows which questions are open, so that the turn can be parked while nothing else happens in it.
import { firstIdOf } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import { createApprovals, type Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import {
  IS_REMOVED,
  type RemovalStore,
} from '@inboard/core/answer/permissions/approvals/removed-question.js';
import { InvalidOptionsError, PermissionUnavailableError } from '@inboard/core/errors.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { Journal } from '../../journal/journal.js';
import { isApproval } from '../../journal/journal-question.js';
import type { CallJournal } from './call-journal.js';
import type { ChangeHub } from '../host/change-hub.js';
import type { HeldLease } from '../host/held-lease.js';
import type { SessionTurns } from './session-turns.js';

export interface JournalApprovalsInput {
  journal: Journal;
  lease: HeldLease;
  hub: ChangeHub;
  turns: SessionTurns;
  /**
   * Returns undefined until the agent has returned its options. The agent gets the approvals before the session has its calls.
   */
  calls: () => CallJournal | undefined;
}

/** Asks people through the journal. It is closed with its session. */
export class JournalApprovals implements Pick<Approvals, 'canUseTool' | 'ask'> {
  readonly #input: JournalApprovalsInput;
  readonly #queue: Approvals;
  readonly #open = new Map<string, number>();
  /** The ids of the calls that wait for permission, as the model gave them. */
  readonly #toolUses = new Set<string>();
  /** For each open question that was asked again: its newest id, by its first id. */
  readonly #again = new Map<string, string>();
  #isClosed = false;
  /** Set while answers are held back. */
  #held: Deferred<void> | undefined;
  /** The id of the question that was stored last. */
  #putId: string | undefined;

  constructor(input: JournalApprovalsInput) {
    this.#input = input;
    const store = createJournalApprovalStore(input);
    this.#queue = createApprovals({
      store: {
        ...store,
        put: (question) => {
          const first = firstIdOf(question.id);
          if (first === question.id) this.#putId = first;
          else this.#again.set(first, question.id);
          return store.put(question);
        },
      },
    });
  }

  /** The ids of the questions that wait for an answer. */
  get open(): string[] {
    return [...this.#open.keys()].map((id) => this.#again.get(id) ?? id);
  }

  /** The ids of the calls that wait for permission, as the model gave them. */
  get waitingToolUses(): ReadonlySet<string> {
    return this.#toolUses;
  }

  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    const { toolUseID } = options;
    this.#toolUses.add(toolUseID);
    try {
      return await this.#whileOpen(() => this.#queue.canUseTool(toolName, input, options));
    } catch (error) {
      // The CLI is gone, or about to be. The question waits for the next CLI.
      if (this.#isClosed) return null;
      throw error;
    } finally {
      this.#toolUses.delete(toolUseID);
    }
  };

  readonly ask: Approvals['ask'] = async (request, context = {}) => {
    const calls = this.#input.calls();
    // An agent has a minute to return its options, and its turn cannot be parked before that. A person may need longer.
    if (!calls)
      throw new InvalidOptionsError(
        ['approvals'],
        'approvals.ask() was called before the agent returned its options. Ask in the handler of a tool or in "canUseTool": there the turn can wait for a person as long as it takes.',
      );
    return await calls.waitForPerson(context.callKey, () =>
      this.#whileOpen(() => this.#queue.ask(request, context)),
    );
  };

  /** Holds answers back while the turn is being parked. */
  hold(): void {
    this.#held ??= createQuietDeferred();
  }

  /** Lets answers through again, because the turn was not parked. */
  goOn(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Ends all waiting in this process. The questions stay in the journal. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    this.#held?.reject(new PermissionUnavailableError('The turn is parked', { retryAfterMs: Infinity }));
  }

  async #whileOpen<T>(ask: () => Promise<T>): Promise<T> {
    this.#putId = undefined;
    const answer = ask();
    // `ask` stores the question synchronously, before it waits for anything.
    const id = this.#putId as string | undefined;
    if (id === undefined) return await answer;
    this.#count(id, 1);
    try {
      const given = await answer;
      await this.#held?.promise;
      return given;
    } finally {
      this.#count(id, -1);
    }
  }

  #count(id: string, by: number): void {
    const count = (this.#open.get(id) ?? 0) + by;
    if (count > 0) this.#open.set(id, count);
    else {
      this.#open.delete(id);
      this.#again.delete(id);
    }
    this.#input.turns.review();
  }
}

function createJournalApprovalStore({ journal, lease, hub, turns }: JournalApprovalsInput): RemovalStore {
  const { fence } = lease;
  const { key } = fence;
  return {
    put: (question) => lease.write(() => journal.ask(fence, turns.turnId(), question)),
    answer: async (id, answer) => (await journal.answer(id, answer)).taken,
    // Each hint comes once and leads to one read. So this read is retried until the journal answers.
    get: async (id) => (await lease.write(() => journal.questions({ id, answered: true }))).find(isApproval),
    list: async () => (await journal.questions({ key, answered: true })).filter(isApproval),
    remove: (id) => lease.write(() => journal.withdraw(fence, id)),
    // This is always false. If a question is gone from the journal, the turn or the conversation is over, and that ends the
    // wait.
    [IS_REMOVED]: async () => false,
    watch: (onChange) =>
      hub.on(key, (kind) => {
        if (kind === undefined || kind === 'answer') onChange();
      }),
  };
}

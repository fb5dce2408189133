// What may be seen and changed of a conversation: everything, or, where the caller has named a tenant, only what belongs to that
// tenant. For such a caller, a conversation of another tenant, or of none, reads like an unknown one. Only sending differs: a
// message to an unknown conversation would create it, and this one is refused.
import { ClusterError } from '@inboard/core/errors.js';
import type { Journal, NewTurn, TenantScope } from './journal/journal.js';
import type { ConversationFacts, ConversationRecord, TurnRecord } from './journal/records.js';

/** How often a conversation may come and go between two questions to the journal. */
const MOST_TRIES = 3;

/** One conversation, on behalf of a tenant or of none. Asks the journal nothing by itself. */
export class OwnConversation {
  readonly key: string;
  readonly #start: ConversationFacts | undefined;

  constructor(key: string, start?: ConversationFacts) {
    this.key = key;
    this.#start = start;
  }

  /** For the methods of a journal that take one. */
  get scope(): TenantScope {
    const tenant = this.#start?.tenant;
    return tenant === undefined ? {} : { tenant };
  }

  /** What it is; undefined where there is none to see. */
  async find(journal: Journal): Promise<ConversationRecord | undefined> {
    const found = await journal.conversation(this.key);
    return found && this.#isOwn(found) ? found : undefined;
  }

  /** What is read of it; undefined where there is none to see. */
  async read<T>(journal: Journal, read: () => Promise<T>): Promise<T | undefined> {
    if (this.scope.tenant === undefined) return await read();
    const before = await this.find(journal);
    if (!before) return undefined;
    const given = await read();
    // It may have been removed meanwhile, and its key have gone to another tenant.
    return (await this.find(journal))?.sessionId === before.sessionId ? given : undefined;
  }

  /** Whether it may be changed. */
  async isThere(journal: Journal): Promise<boolean> {
    return this.scope.tenant === undefined || (await this.find(journal)) !== undefined;
  }

  /** Stores a message; the first one creates the conversation. Rejects with CONVERSATION_UNKNOWN where the key is another tenant's. */
  async enqueue(journal: Journal, sent: Omit<NewTurn, 'start'>): Promise<TurnRecord> {
    const { key, scope } = this;
    const start = this.#start;
    if (scope.tenant === undefined) return (await journal.enqueue({ ...sent, ...(start && { start }) })).turn;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const known = await this.#enqueueKnown(journal, sent);
      if (known) return known;
      const found = await journal.conversation(key);
      if (found && !this.#isOwn(found)) throw this.#refuse();
      if (found) continue;
      const { turn, isNew } = await journal.enqueue({ ...sent, ...(start && { start }) });
      // The first turn of a conversation creates it.
      if (isNew && turn.place === 1) return turn;
      if (await this.find(journal)) return turn;
      // Another process has just created one under the key.
      if (isNew) await journal.cancel(key, turn.id);
      throw this.#refuse();
    }
    throw this.#refuse();
  }

  /** What is said of a conversation that there is not, or that is not to be seen. */
  unknown(): ClusterError {
    const { key } = this;
    return new ClusterError('CONVERSATION_UNKNOWN', `There is no conversation "${key}".`, { key });
  }

  async #enqueueKnown(journal: Journal, sent: NewTurn): Promise<TurnRecord | undefined> {
    try {
      return (await journal.enqueue(sent, this.scope)).turn;
    } catch (error) {
      if (error instanceof ClusterError && error.code === 'CONVERSATION_UNKNOWN') return undefined;
      throw error;
    }
  }

  #isOwn({ tenant }: ConversationRecord): boolean {
    return this.scope.tenant === undefined || tenant === this.scope.tenant;
  }

  /** Says nothing of whose it is, nor of its state. */
  #refuse(): ClusterError {
    const { key, scope } = this;
    return new ClusterError(
      'CONVERSATION_UNKNOWN',
      `There is no conversation "${key}" of the tenant "${scope.tenant}", and none can be created under this key. Make the tenant a part of its keys, so that no other tenant can use them.`,
      { key },
    );
  }
}

// One conversation, as a caller with or without a tenant sees it. A caller that names a tenant sees and changes only what
// belongs to that tenant. Any other conversation reads as unknown. A message to such a conversation is refused, although a
// message to an unknown key otherwise creates a conversation.
import { ClusterError } from '@inboard/core/errors.js';
import type { Caller } from './journal/filters.js';
import type { Journal, NewTurn, TenantScope } from './journal/journal.js';
import type { ConversationFacts, ConversationRecord, TurnRecord } from './journal/records.js';

/** A conversation, as one caller sees it. Creating this object asks the journal nothing. */
export class OwnConversation {
  readonly key: string;
  readonly #start: ConversationFacts | undefined;

  constructor(key: string, start?: ConversationFacts) {
    this.key = key;
    this.#start = start;
  }

  /** The scope for the methods of a journal that take one. */
  get scope(): TenantScope {
    const tenant = this.#start?.tenant;
    return tenant === undefined ? {} : { tenant };
  }

  /** The conversation's record. Undefined if the caller sees no such conversation. */
  async find(journal: Journal): Promise<ConversationRecord | undefined> {
    const found = await journal.conversation(this.key);
    return found && this.#isOwn(found) ? found : undefined;
  }

  /** Reads something of the conversation. Undefined if the caller sees no such conversation. */
  async read<T>(journal: Journal, read: () => Promise<T>): Promise<T | undefined> {
    if (this.scope.tenant === undefined) return await read();
    const before = await this.find(journal);
    if (!before) return undefined;
    const given = await read();
    // The conversation may have been removed in the meantime, and its key given to another tenant.
    return (await this.find(journal))?.sessionId === before.sessionId ? given : undefined;
  }

  /** Whether the caller's tenant has this conversation. Always true for a caller without a tenant. */
  async isThere(journal: Journal): Promise<boolean> {
    return this.scope.tenant === undefined || (await this.find(journal)) !== undefined;
  }

  /**
   * Stores a message. The first one creates the conversation. Rejects with CONVERSATION_UNKNOWN if the key belongs to another
   * tenant.
   */
  async enqueue(journal: Journal, sent: Omit<NewTurn, 'start'>, caller: Caller = {}): Promise<TurnRecord> {
    const start = this.#start;
    try {
      const { turn } = await journal.enqueue(
        { ...sent, ...(start && { start }) },
        { ...this.scope, ...caller },
      );
      return turn;
    } catch (error) {
      if (this.scope.tenant === undefined || !isUnknown(error)) throw error;
      throw this.#refuse();
    }
  }

  /** The error for a conversation that does not exist, or that the caller may not see. */
  unknown(): ClusterError {
    const { key } = this;
    return new ClusterError('CONVERSATION_UNKNOWN', `There is no conversation "${key}".`, { key });
  }

  #isOwn({ tenant }: ConversationRecord): boolean {
    return this.scope.tenant === undefined || tenant === this.scope.tenant;
  }

  /** The error tells neither whose conversation it is nor its state. */
  #refuse(): ClusterError {
    const { key, scope } = this;
    return new ClusterError(
      'CONVERSATION_UNKNOWN',
      `There is no conversation "${key}" of the tenant "${scope.tenant}", and none can be created under this key. Make the tenant a part of its keys, so that no other tenant can use them.`,
      { key },
    );
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof ClusterError && error.code === 'CONVERSATION_UNKNOWN';
}

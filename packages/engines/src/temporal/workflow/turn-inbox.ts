// The turns of a conversation that have not ended, in order. Together they must fit into the input of a new run.
import type { ConversationMessage } from './conversation-facts.js';
import { countBytes, MOST_INBOX_BYTES } from './message-limits.js';

/** Why a turn finds no room. */
export const NO_ROOM = `The turns that wait may have ${MOST_INBOX_BYTES} bytes as JSON together. Send this one under another id when some have ended, and put large files where a tool can read them`;

/** One per run of the workflow. */
export class TurnInbox {
  readonly #messages: ConversationMessage[];
  /** The bytes of each turn. */
  readonly #sizes: Map<string, number>;

  constructor(messages: readonly ConversationMessage[]) {
    this.#messages = [...messages];
    this.#sizes = new Map(messages.map((message) => [message.id, countBytes(message)]));
  }

  get list(): ConversationMessage[] {
    return [...this.#messages];
  }

  get first(): ConversationMessage | undefined {
    return this.#messages[0];
  }

  get ids(): string[] {
    return this.#messages.map(({ id }) => id);
  }

  has(id: string): boolean {
    return this.#sizes.has(id);
  }

  hasRoomFor(message: ConversationMessage): boolean {
    let bytes = countBytes(message);
    for (const size of this.#sizes.values()) bytes += size;
    return bytes <= MOST_INBOX_BYTES;
  }

  add(message: ConversationMessage): void {
    this.#messages.push(message);
    this.#sizes.set(message.id, countBytes(message));
  }

  /** Takes a turn out. Returns whether it was there. */
  remove(id: string): boolean {
    const place = this.#messages.findIndex((message) => message.id === id);
    if (place >= 0) this.#messages.splice(place, 1);
    return this.#sizes.delete(id);
  }
}

/** Returns what is wrong with a turn that a message brought, or nothing. Anybody may have sent it. */
export function findTurnFault(message: unknown): string | undefined {
  const { id, content } = (message ?? {}) as Partial<ConversationMessage>;
  if (typeof id !== 'string' || id === '')
    return 'A turn must be { id, content }, and its id a text that is not empty';
  const hasContent =
    typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0;
  return hasContent
    ? undefined
    : `The content of the turn "${id}" must be a text or a list of content blocks`;
}

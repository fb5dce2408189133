// The handle on one conversation, in any process. It sends messages, and reads turns, events and state. Workers run the turns.
import type { MessageInput } from '@inboard/core/live/input/user-message.js';
import type { AsyncReader } from '@inboard/core/util/queues/async-queue.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { readCaller } from './audit.js';
import { readMessageContent, readDelay } from './check-input.js';
import { checkMethodOptions } from './check-options.js';
import type { Caller } from './journal/filters.js';
import type { ClusterConversation, ClusterEventsOptions, ClusterSendOptions, SentTurn } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import { checkName } from './journal/check-names.js';
import type { ClusterEvent, ConversationRecord, TurnRecord } from './journal/records.js';
import type { OwnConversation } from './own-conversation.js';
import { followEvents, readEventStart, readWholeEvent } from './follow-events.js';
import { createSentTurn } from './sent-turn.js';
import type { ClusterTelemetry } from './work/host/host-parts.js';

export interface ConversationHandleParts {
  core: ClusterCore;
  own: OwnConversation;
  telemetry: ClusterTelemetry | undefined;
}

/** Creates a handle on a conversation, without asking the journal. */
export function createConversationHandle(parts: ConversationHandleParts): ClusterConversation {
  return new ConversationHandle(parts);
}

class ConversationHandle implements ClusterConversation {
  readonly #parts: ConversationHandleParts;

  constructor(parts: ConversationHandleParts) {
    this.#parts = parts;
  }

  get key(): string {
    return this.#parts.own.key;
  }

  async send(message: MessageInput, options: ClusterSendOptions = {}): Promise<SentTurn> {
    const { core, own, telemetry } = this.#parts;
    const { key } = own;
    const { content, uuid } = readMessageContent(message);
    const caller = readCaller('send()', options);
    const { id = uuid ?? randomUUID(), notBefore } = options;
    checkName('id', id);
    const afterMs = readDelay(notBefore);
    const keep = async (trace: string | undefined): Promise<TurnRecord> =>
      await own.enqueue(await core.journal(), withoutUndefined({ key, id, content, afterMs, trace }), caller);
    const { place } = core.hub;
    const turn = await (telemetry ? telemetry.send({ key, id }, keep) : keep(undefined));
    // A turn that was sent before wakes a worker too, because perhaps none was woken then.
    if (turn.state === 'queued') core.wake(key, withoutUndefined({ afterMs }));
    return createSentTurn(core, own, turn.id, { record: turn, place });
  }

  turn(id: string): SentTurn {
    checkName('id', id);
    return createSentTurn(this.#parts.core, this.#parts.own, id);
  }

  async turns(): Promise<TurnRecord[]> {
    const { core, own } = this.#parts;
    const journal = await core.journal();
    return (await own.read(journal, () => journal.turns(own.key))) ?? [];
  }

  events(options: ClusterEventsOptions = {}): AsyncReader<ClusterEvent> {
    checkMethodOptions('events()', options);
    const { after, signal } = options;
    const { core, own } = this.#parts;
    core.check();
    return followEvents(core, own, { place: readEventStart(after), signal });
  }

  async readWhole(id: number): Promise<ClusterEvent | undefined> {
    return await readWholeEvent(await this.#parts.core.journal(), this.#parts.own, id);
  }

  async interrupt(caller?: Caller): Promise<boolean> {
    const who = readCaller('interrupt()', caller);
    const { core, own } = this.#parts;
    const { key, scope } = own;
    const isWanted = await (await core.journal()).interrupt(key, { ...scope, ...who });
    // The journal tells the worker that has the conversation. A wake is needed if no worker has it, or if another turn follows
    // a parked one.
    if (isWanted) core.wake(key);
    return isWanted;
  }

  async close(caller?: Caller): Promise<void> {
    const who = readCaller('close()', caller);
    const { core, own } = this.#parts;
    const journal = await core.journal();
    if (!(await own.isThere(journal))) throw own.unknown();
    await journal.closeConversation(own.key, who);
    core.wake(own.key);
  }

  async info(): Promise<ConversationRecord | undefined> {
    return await this.#parts.own.find(await this.#parts.core.journal());
  }
}

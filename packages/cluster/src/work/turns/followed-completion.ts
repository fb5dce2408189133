// Follows the calls that are completed before the CLI of a continued turn starts. It reports them to the worker's listener,
// writes them among the turn's events once the transcript has them, and keeps them for the outcome. Calls that earlier workers
// completed are included.
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { COMPLETED_CALLS, type ToldCall } from '../../journal/completed-note.js';
import type { TurnRecord } from '../../journal/records.js';
import { readEarlierCompletions } from './earlier-completions.js';
import type { EventPublisher } from './event-publisher.js';
import type { RunContext } from './run-context.js';

export interface FollowedCompletionInput {
  context: RunContext;
  turn: TurnRecord;
  publisher: EventPublisher;
}

/** Follows one session from its opening until it has a CLI. */
export class FollowedCompletion {
  /** The calls by their tool use ids. A call that an earlier worker left open may be completed now. */
  readonly #calls = new Map<string, ToldCall>();
  readonly #input: FollowedCompletionInput;
  /** The uuids of messages that are already published. */
  readonly #published = new Set<string>();
  #following: Promise<void> | undefined;

  constructor(input: FollowedCompletionInput) {
    this.#input = input;
  }

  /** All completed calls of the turn, no matter which worker completed them. */
  get calls(): ToldCall[] {
    return [...this.#calls.values()];
  }

  /** Adds the calls that earlier workers completed. Reports those that no event tells of yet. */
  async recall(): Promise<void> {
    const { context, turn, publisher } = this.#input;
    if (turn.attempt <= 1) return;
    const { told, untold, unshown } = await readEarlierCompletions(context, turn);
    this.#note(told);
    if (untold.length > 0) await this.#announce(untold, context.conversation.sessionId);
    for (const message of unshown) await publisher.add(message);
  }

  /** Begins to follow. Call it immediately after the session was opened. */
  follow(session: Session): void {
    this.#following = this.#follow(session);
    // Read errors also end the session, and are reported there.
    this.#following.catch(() => {});
  }

  /** Resolves once the session has a CLI, or has ended, and every completed call is reported. */
  async settled(): Promise<void> {
    await this.#following;
  }

  /** Whether a message of the turn is already among its events. Ask once for each message. */
  has({ uuid }: { uuid?: string }): boolean {
    return uuid !== undefined && this.#published.delete(uuid);
  }

  async #follow(session: Session): Promise<void> {
    const messages = session.messages();
    try {
      for await (const event of session.events()) {
        if (event.type === 'ready' || event.type === 'restarted') return;
        if (event.type === 'completed') await this.#tell(event.calls, session.sessionId ?? '', messages);
      }
    } finally {
      await messages.return?.();
    }
  }

  async #tell(
    completed: readonly CompletedCall[],
    sessionId: string,
    messages: AsyncIterator<SDKMessage, undefined>,
  ): Promise<void> {
    const calls = completed.map(({ input: _input, ranInput: _ran, ...call }): ToldCall => call);
    await this.#announce(calls, sessionId);
    // There is no CLI yet, so the next messages are the results, one message for each call.
    for (const { delivered } of calls) {
      const message = delivered ? (await messages.next()).value : undefined;
      if (!message) continue;
      if ('uuid' in message && message.uuid !== undefined) this.#published.add(message.uuid);
      await this.#input.publisher.add(message);
    }
  }

  /** Reports calls to the worker's listener, and to the readers of the events. */
  async #announce(calls: readonly ToldCall[], sessionId: string): Promise<void> {
    const { context, turn, publisher } = this.#input;
    const { host, lease } = context;
    this.#note(calls);
    for (const { toolUseId: _id, by: _by, ...call } of calls) {
      host.emit({ type: 'call-completed', key: lease.fence.key, turn: turn.id, ...call });
    }
    const note = {
      type: 'system',
      subtype: COMPLETED_CALLS,
      calls,
      uuid: randomUUID(),
      session_id: sessionId,
    };
    await publisher.add(note as unknown as SDKMessage);
  }

  #note(calls: readonly ToldCall[]): void {
    for (const call of calls) this.#calls.set(call.toolUseId, call);
  }
}

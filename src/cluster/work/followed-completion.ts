// The calls that were completed before the CLI of a continued turn is started: told to whoever listens to the worker, written among
// the turn's events as soon as the transcript has them, and kept for the outcome.
import { randomUUID } from 'node:crypto';
import type { CompletedCall } from '../../wire/protocol/messages/completed-call.js';
import type { Session } from '../../verbs/conversation/open-session.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { TurnOutcome } from '../journal/records.js';
import type { EventPublisher } from './event-publisher.js';
import type { RunContext } from './run-context.js';

/** A call, without what it was called with: the message that made it has that. */
type ToldCall = NonNullable<TurnOutcome['completedCalls']>[number];

/** The subtype of the system message that tells of them. A type of event of its own would be misread by workers and pages of earlier versions. */
const COMPLETED_CALLS = 'inboard_completed_calls';

export interface FollowedCompletionInput {
  context: RunContext;
  turn: string;
  publisher: EventPublisher;
}

/** Follows one session from its opening until it has a CLI. */
export class FollowedCompletion {
  readonly calls: ToldCall[] = [];
  readonly #input: FollowedCompletionInput;
  /** Messages that are published already. */
  readonly #published = new Set<string>();
  #following: Promise<void> | undefined;

  constructor(input: FollowedCompletionInput) {
    this.#input = input;
  }

  /** Begins; at once after the session was opened. */
  follow(session: Session): void {
    this.#following = this.#follow(session);
    // Read errors end the session, too, and are told there.
    this.#following.catch(() => {});
  }

  /** Once the session has a CLI: everything is told. */
  async settled(): Promise<void> {
    await this.#following;
  }

  /** Whether a message of the turn is among its events already. */
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
    const { context, turn, publisher } = this.#input;
    const { host, lease } = context;
    const calls = completed.map(({ input: _input, ranInput: _ran, ...call }): ToldCall => call);
    this.calls.push(...calls);
    for (const { toolUseId: _id, by: _by, ...call } of calls) {
      host.emit({ type: 'call-completed', key: lease.fence.key, turn, ...call });
    }
    const note = {
      type: 'system',
      subtype: COMPLETED_CALLS,
      calls,
      uuid: randomUUID(),
      session_id: sessionId,
    };
    await publisher.add(note as unknown as SDKMessage);
    // There is no CLI yet: the next messages are the results, in one message each.
    for (const { delivered } of calls) {
      const message = delivered ? (await messages.next()).value : undefined;
      if (!message) continue;
      if ('uuid' in message && message.uuid !== undefined) this.#published.add(message.uuid);
      await publisher.add(message);
    }
  }
}

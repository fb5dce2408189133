// A live source for tests, what it told, and its events decoded.
import { LiveSource } from '../../src/sources/live-source.js';
import { describeOnce, INSPECT_TARGET, watchSessions } from '@inboard/core/live/watch/session-registry.js';
import type { SessionsTarget } from '@inboard/core/live/watch/session-registry.js';
import { decodeNumbered } from '../../src/stream/event-codec.js';
import type { NumberedEvent, InspectorEvent } from '../../src/stream/inspector-event.js';
import type { Question } from '../../src/stream/question.js';
import type { LiveSourceOptions } from '../../src/sources/live-source.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

export type EventOf<Type extends InspectorEvent['type']> = Extract<InspectorEvent, { type: Type }>;

/** A source, and what a page would have heard. */
export class LiveScene implements AsyncDisposable {
  readonly source: LiveSource;
  readonly asked: Question[] = [];
  readonly settled: string[] = [];
  readonly pushed: NumberedEvent[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(options: Partial<LiveSourceOptions> = {}) {
    this.source = new LiveSource({ title: 'test', isReadOnly: false, isWhole: true, ...options });
    this.#ends.push(
      this.source.watch({
        events: (_session, _first, lines) => {
          for (const line of lines) this.pushed.push(decodeNumbered(line) as NumberedEvent);
        },
        summary: () => {},
        asked: (question) => this.asked.push(question),
        settled: (_session, id) => this.settled.push(id),
      }),
    );
  }

  /** Shows every session, or that of a public object. */
  follow(object?: object): this {
    const target = (object as Partial<Record<typeof INSPECT_TARGET, () => SessionsTarget>>)?.[
      INSPECT_TARGET
    ]?.();
    if (target && 'subject' in target) this.source.add(describeOnce(target.subject));
    else {
      for (const subject of target?.present ?? []) this.source.add(describeOnce(subject));
      this.#ends.push(watchSessions((session) => this.source.add(session), target?.origin));
    }
    return this;
  }

  /** Resolves with the question that waits, once there is one. */
  async question(match: (question: Question) => boolean = () => true): Promise<Question> {
    await waitUntil(() => this.source.questions().some(match));
    return this.source.questions().find(match) as Question;
  }

  /** All events of a session, as they are kept. */
  async events(session = 's1'): Promise<NumberedEvent[]> {
    const events: NumberedEvent[] = [];
    for (let after = 0; ;) {
      const { lines, next } = await this.source.read(session, after, 1000);
      events.push(...lines.map((line) => decodeNumbered(line) as NumberedEvent));
      if (next === undefined) return events;
      after = next;
    }
  }

  /** Those of one type. */
  async eventsOf<Type extends InspectorEvent['type']>(type: Type, session = 's1'): Promise<EventOf<Type>[]> {
    const events = await this.events(session);
    return events.flatMap(({ event }) => (event.type === type ? [event as EventOf<Type>] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends) end();
    await this.source.close();
  }
}

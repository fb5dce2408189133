// A source of sessions that a test fills by hand, and that remembers what it was asked.
import type { Action, ActionResult, EventBatch } from '../../src/model/page-contract.js';
import type { SessionSummary } from '../../src/model/session-summary.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import type { SessionSource, SourceListener } from '../../src/sources/session-source.js';
import { numberLine, numberOf } from '../../src/stream/event-codec.js';
import type { Question } from '../../src/stream/question.js';

/** A source in memory. */
export class FakeSource implements SessionSource {
  readonly kind = 'live';
  title = 'A test';
  noToolsBecause: string | undefined;
  readonly acts: Action[] = [];
  /** How many times events were read, and how many were given. */
  readonly reads = { calls: 0, lines: 0 };
  readonly listeners = new Set<SourceListener>();
  readonly #events = new Map<string, string[]>();
  readonly #questions: Question[] = [];
  #last = 0;
  /** Held back until it resolves. */
  beforeRead: () => Promise<void> = async () => {};
  answer: (action: Action) => Promise<ActionResult> = async () => ({ ok: true });

  /** Adds an event of a session, and tells it; gives its number. */
  add(session: string, event: object = { type: 'warning', t: 0, code: 'X', message: 'x' }): number {
    this.#last += 1;
    const line = numberLine(this.#last, session, JSON.stringify(event));
    const lines = this.#events.get(session);
    if (lines) lines.push(line);
    else this.#events.set(session, [line]);
    for (const listener of this.listeners) listener.events(session, this.#last, [line]);
    return this.#last;
  }

  /** Adds a question, and tells it. */
  ask(question: Question): void {
    this.#questions.push(question);
    for (const listener of this.listeners) listener.asked(question);
  }

  /** Takes a question off the list, and tells it. */
  settle(session: string, id: string): void {
    const place = this.#questions.findIndex((question) => question.id === id);
    if (place >= 0) this.#questions.splice(place, 1);
    for (const listener of this.listeners) listener.settled(session, id);
  }

  sessions(): SessionSummary[] {
    return [...this.#events.keys()].map((id) => new SummaryLedger(id).read());
  }

  questions(): Question[] {
    return this.#questions;
  }

  async read(session: string, after: number, limit: number): Promise<EventBatch> {
    this.reads.calls += 1;
    await this.beforeRead();
    const all = this.#events.get(session) ?? [];
    const from = all.findLastIndex((line) => numberOf(line) <= after) + 1;
    const lines = all.slice(from, from + limit);
    this.reads.lines += lines.length;
    return { lines, next: from + limit < all.length ? numberOf(lines.at(-1) as string) : undefined };
  }

  async readWhole(session: string, n: number): Promise<string | undefined> {
    return this.#events.get(session)?.find((line) => numberOf(line) === n);
  }

  watch(listener: SourceListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async act(action: Action): Promise<ActionResult> {
    this.acts.push(action);
    return this.answer(action);
  }

  async close(): Promise<void> {}
}

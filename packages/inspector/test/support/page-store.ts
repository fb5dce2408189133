// A store with a source and a clock that a test holds in its hands.
import { createStore, type InnerStore } from '../../src/page/store/store.js';
import { beginStore } from '../../src/page/store/begin-store.js';
import { readPlace } from '../../src/page/store/place.js';
import type { Scheduler } from '../../src/page/store/scheduler.js';
import { SourceFailure } from '../../src/page/source/source-failure.js';
import type { PageListener, PageSource } from '../../src/page/page-source.js';
import type { EventBatch, ServerState } from '../../src/model/page-contract.js';
import type { SessionSummary } from '../../src/model/session-summary.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import { numberLine, numberOf } from '../../src/stream/event-codec.js';

/** Time that goes on only when it is told to. */
export class ManualScheduler implements Scheduler {
  time = 0;
  pauses = 0;
  /** What each look at the clock costs. */
  perLook = 0;
  isCalm = false;
  #frames: (() => void)[] = [];
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    this.time += this.perLook;
    return this.time;
  }

  async pause(): Promise<void> {
    this.pauses += 1;
  }

  onFrame(run: () => void): void {
    this.#frames.push(run);
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  prefersCalm(): boolean {
    return this.isCalm;
  }

  /** Draws once; gives how many had waited for it. */
  frame(): number {
    const frames = this.#frames.splice(0);
    for (const run of frames) run();
    return frames.length;
  }

  /** Lets time pass, and what is due run. */
  async pass(ms: number): Promise<void> {
    this.time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.time);
    this.#timers = this.#timers.filter(({ at }) => at > this.time);
    for (const { run } of due) run();
    await settle();
  }
}

/** A connection that a page opened. */
export interface Connection {
  session: string | undefined;
  after: number;
  listener: PageListener;
  isOpen: boolean;
}

/** A server's data in memory, whose connections the test holds. */
export class ManualSource implements PageSource {
  readonly kind = 'served';
  readonly connections: Connection[] = [];
  readonly reads: { session: string; after: number; limit: number }[] = [];
  readonly lines = new Map<string, string[]>();
  sessions: SessionSummary[] = [];
  questions: ServerState['questions'] = [];
  /** The next requests fail with these. */
  failures: Error[] = [];
  #last = 0;

  /** Adds events to a session, as a running one does; gives their lines. */
  add(session: string, count: number): string[] {
    const added: string[] = [];
    for (let index = 0; index < count; index += 1) {
      this.#last += 1;
      added.push(numberLine(this.#last, session, '{"type":"warning","t":1,"code":"X","message":"x"}'));
    }
    this.lines.set(session, [...(this.lines.get(session) ?? []), ...added]);
    if (!this.sessions.some(({ id }) => id === session)) this.sessions.push(summaryOf(session));
    return added;
  }

  get serverState(): ServerState {
    const { sessions, questions } = this;
    return {
      kind: 'live',
      version: '0',
      isReadOnly: false,
      title: 'test',
      noToolsBecause: undefined,
      sessions: [...sessions],
      questions: [...questions],
    };
  }

  async state(): Promise<ServerState> {
    this.#failIfTold();
    return this.serverState;
  }

  async read(session: string, after: number, limit: number): Promise<EventBatch> {
    this.reads.push({ session, after, limit });
    this.#failIfTold();
    const rest = (this.lines.get(session) ?? []).filter((line) => numberOf(line) > after);
    const lines = rest.slice(0, limit);
    const next = rest.length > limit ? numberOf(lines.at(-1) as string) : undefined;
    return { lines, next, total: this.lines.get(session)?.length };
  }

  async readWhole(): Promise<string | undefined> {
    return undefined;
  }

  follow({ session, after }: { session: string | undefined; after: number }, listener: PageListener) {
    const connection: Connection = { session, after, listener, isOpen: true };
    this.connections.push(connection);
    return () => {
      connection.isOpen = false;
    };
  }

  async act() {
    return { ok: true } as const;
  }

  /** The connection that is open; there is never more than one. */
  get open(): Connection {
    const open = this.connections.filter(({ isOpen }) => isOpen);
    if (open.length !== 1) throw new Error(`${open.length} connections are open`);
    return open[0] as Connection;
  }

  #failIfTold(): void {
    const failure = this.failures.shift();
    if (failure) throw failure;
  }
}

export function summaryOf(id: string, fields: Partial<SessionSummary> = {}): SessionSummary {
  return { ...new SummaryLedger(id).read(), ...fields };
}

export const UNREACHABLE = (): SourceFailure =>
  new SourceFailure('unreachable', 'The server does not answer.');

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}

/** A store at work. */
export async function begin(
  source: PageSource,
  hash = '',
  perLook = 0,
): Promise<{ store: InnerStore; scheduler: ManualScheduler; end: () => void }> {
  const scheduler = new ManualScheduler();
  scheduler.perLook = perLook;
  const store = createStore(source, scheduler);
  const end = beginStore(store, readPlace(hash));
  await settle();
  return { store, scheduler, end };
}

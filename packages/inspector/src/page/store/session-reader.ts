// Reads the events of one session into its model: history in parts, so that the page stays quick to react, then what comes.
import { signal, type Signal } from '@preact/signals';
import { SessionModel } from '../../model/session-model.js';
import { decodeNumbered } from '../../stream/event-codec.js';
import type { PageSource } from '../page-source.js';
import type { Scheduler } from './scheduler.js';

/** A session whose events are read. */
export interface LoadedSession {
  model: SessionModel;
  /** Raised after each batch of events: a view that reads the model reads this first. */
  revision: Signal<number>;
  /** How much of it was read, from 0 to 1; 1 also while a running session goes on. */
  progress: Signal<number>;
}

/** The first part is small, so that something is seen at once. */
const FIRST_BATCH = 400;
const BATCH = 1500;
/** While history is read, views are told of it so seldom: some of them go through all that is there each time. */
const TOLD_MS = 250;
/** A page that is busy for longer is felt. */
const SLICE_MS = 8;
/** Events between two looks at the clock. */
const PER_LOOK = 16;

/** The reading of one session. */
export class SessionReader implements LoadedSession {
  readonly model: SessionModel;
  readonly revision = signal(0);
  readonly progress = signal(0);
  readonly #source: PageSource;
  readonly #scheduler: Scheduler;
  #count = 0;
  #isTouched = false;
  #toldAt = 0;
  #reading: Promise<void> | undefined;

  constructor(session: string, source: PageSource, scheduler: Scheduler) {
    this.model = new SessionModel(session);
    this.#source = source;
    this.#scheduler = scheduler;
  }

  /** Reads everything there is after what was read. Rejects when the source cannot be read; what was read stays. */
  catchUp(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const { id } = this.model;
    let isFirst = true;
    this.#toldAt = this.#scheduler.now();
    let coming = this.#source.read(id, this.model.last, this.#count === 0 ? FIRST_BATCH : BATCH);
    for (;;) {
      const { lines, next, total } = await coming;
      // The next part is on its way while this one is worked through.
      if (next !== undefined) coming = this.#source.read(id, next, BATCH);
      // It is awaited in the next round; until then nobody else hears of its failure.
      coming.catch(() => {});
      await this.#take(lines);
      const isWhole = next === undefined;
      this.#report(isWhole ? 1 : total ? Math.min(0.99, this.#count / total) : 0.5);
      if (isFirst || isWhole) this.#touch();
      isFirst = false;
      if (isWhole) return;
    }
  }

  async #take(lines: readonly string[]): Promise<void> {
    let since = this.#scheduler.now();
    for (const [place, line] of lines.entries()) {
      if (place % PER_LOOK === PER_LOOK - 1 && this.#scheduler.now() - since >= SLICE_MS) {
        await this.#scheduler.pause();
        since = this.#scheduler.now();
        this.#touchNow(since);
      }
      this.#push(line);
    }
    this.#touchNow(this.#scheduler.now());
  }

  #touchNow(now: number): void {
    if (now - this.#toldAt < TOLD_MS) return;
    this.#toldAt = now;
    this.#touch();
  }

  /** Takes an event that came by itself. */
  accept(line: string): void {
    if (this.#push(line)) this.#touch();
  }

  #push(line: string): boolean {
    const event = decodeNumbered(line);
    if (!event || event.s !== this.model.id || event.n <= this.model.last) return false;
    this.model.push(event, line);
    this.#count += 1;
    return true;
  }

  #report(progress: number): void {
    this.progress.value = progress;
  }

  /** However many events come, views hear of it once for each time the page is drawn. */
  #touch(): void {
    if (this.#isTouched) return;
    this.#isTouched = true;
    this.#scheduler.onFrame(() => {
      this.#isTouched = false;
      this.revision.value += 1;
    });
  }
}

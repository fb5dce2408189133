// Reads the events of one session into its model: first the past events, in parts, so that the page stays responsive; then
// new events as they come.
import { signal, type Signal } from '@preact/signals';
import { SessionModel } from '../../model/session-model.js';
import { decodeNumbered } from '../../stream/event-codec.js';
import type { PageSource } from '../page-source.js';
import type { Scheduler } from './scheduler.js';

/** A session whose events are read. */
export interface LoadedSession {
  model: SessionModel;
  /** Grows after each batch of events. A view that reads the model must read this first. */
  revision: Signal<number>;
  /** How much of the past events was read, from 0 to 1. It stays 1 while a running session continues. */
  progress: Signal<number>;
}

/** The size of the first part, which is small, so that something appears at once. */
const FIRST_BATCH = 400;
const BATCH = 1500;
/** The time between two updates of views while past events are read. It is long, because some views process all events. */
const TOLD_MS = 250;
/** How long the page may work without a pause. A longer time would be noticeable. */
const SLICE_MS = 8;
/** The number of events between two checks of the time. */
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

  /** Reads all events after the last one. Rejects if the source cannot be read; the events read so far stay. */
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
      // The next part is requested while this one is processed.
      if (next !== undefined) coming = this.#source.read(id, next, BATCH);
      // The next round awaits that part. Until then, its rejection must not count as unhandled.
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

  /** Takes a new event from the stream. */
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

  /** Updates the views at most once per frame, however many events come. */
  #touch(): void {
    if (this.#isTouched) return;
    this.#isTouched = true;
    this.#scheduler.onFrame(() => {
      this.#isTouched = false;
      this.revision.value += 1;
    });
  }
}

// Measures how long the event loop of this process was held up. A loop that stands still for good cannot be measured from
// within: then nothing answers, which is what tells it from everything else.
import { clock } from '../util/system/clock.js';

const TICK_MS = 250;
const WINDOW_MS = 30_000;

/** The longest delay of a timer, over the last 30 to 60 seconds. The caller that makes it closes it. */
export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #due = clock.performance.now() + TICK_MS;
  #windowEnd = clock.performance.now() + WINDOW_MS;
  #now = 0;
  #before = 0;

  constructor() {
    this.#timer = clock.setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  get longestMs(): number {
    return Math.round(Math.max(this.#now, this.#before));
  }

  close(): void {
    clock.clearInterval(this.#timer);
  }

  #tick(): void {
    const now = clock.performance.now();
    const late = now - this.#due;
    this.#due = now + TICK_MS;
    if (now >= this.#windowEnd) {
      this.#before = this.#now;
      this.#now = 0;
      this.#windowEnd = now + WINDOW_MS;
    }
    this.#now = Math.max(this.#now, late);
  }
}

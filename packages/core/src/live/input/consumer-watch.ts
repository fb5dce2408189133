// How long the input stays open for the sake of the consumer of the messages: one that has just seen a result may
// answer it with another message. Whether anything else keeps the input open is decided by the input's lifetime.
import type { WireObject } from '../../wire/protocol/codec.js';

/** How long a consumer may work on a result before it counts as done with it. */
const AT_RESULT_MS = 1_000;
/** How long a consumer may work on an earlier message while the result waits for it; longer, and it counts as gone. */
const BEFORE_RESULT_MS = 5_000;

/** One per live CLI; is told what the CLI sends, what the consumer takes, and each time it asks. */
export class ConsumerWatch {
  /** Results that the consumer has not taken. */
  #untaken = 0;
  /** `absent` until someone reads, or waits for the output; `reading` until it has taken the last result. */
  #state: 'absent' | 'awaits-output' | 'reading' | 'at-result' | 'asks' = 'absent';
  /** When a result last came, or the consumer last took something that matters. */
  #since = 0;

  /** The CLI sent a message. */
  observe(message: WireObject): void {
    if (message['type'] !== 'result') return;
    this.#untaken += 1;
    this.#since = performance.now();
  }

  /** The consumer asks for the next message. */
  asks(): void {
    this.#state = 'asks';
  }

  /** The consumer was given a message. */
  takes(message: { type: string }): void {
    const isResult = message.type === 'result';
    this.#state = isResult ? 'at-result' : 'reading';
    // Before a result has come nothing is timed.
    if (this.#untaken > 0) this.#since = performance.now();
    if (isResult) this.#untaken -= 1;
  }

  /** The caller waits for the output; without a reader, the output is what tells it of the result. */
  awaitsOutput(): void {
    if (this.#state === 'absent') this.#state = 'awaits-output';
  }

  /** For how many milliseconds from now the input stays open for the consumer; 0 when it needs no more of it. */
  get holdMs(): number {
    return Math.max(0, this.#limitMs() - (performance.now() - this.#since));
  }

  #limitMs(): number {
    if (this.#state === 'absent') return 0;
    if (this.#state === 'awaits-output') return this.#untaken > 0 ? AT_RESULT_MS : 0;
    if (this.#untaken > 0) return BEFORE_RESULT_MS;
    return this.#state === 'at-result' ? AT_RESULT_MS : 0;
  }
}

// Decides how long the input stays open for the consumer of the messages, who may answer a result with another
// message. The input's lifetime decides whether anything else keeps the input open.
import type { WireObject } from '../../wire/protocol/codec.js';

/** How long a consumer may work on a result before it counts as done with it. */
const AT_RESULT_MS = 1_000;
/**
 * How long a consumer may work on an earlier message while a result waits. A consumer that takes longer counts as
 * gone.
 */
const BEFORE_RESULT_MS = 5_000;

/**
 * One per live CLI. It is told of each message that the CLI sends, each message that the consumer takes, and each time that
 * the consumer asks for one.
 */
export class ConsumerWatch {
  /** Results that the consumer has not taken. */
  #untaken = 0;
  /** `absent` until someone reads or waits for the output. At `at-result`, the last taken message is a result. */
  #state: 'absent' | 'awaits-output' | 'reading' | 'at-result' | 'asks' = 'absent';
  /** When a result last came, or when the consumer last took a message while a result waited. */
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
    // Nothing is timed before a result has come.
    if (this.#untaken > 0) this.#since = performance.now();
    if (isResult) this.#untaken -= 1;
  }

  /** Notes that the caller waits for the output. Without a reader, the caller learns of the result through the output. */
  awaitsOutput(): void {
    if (this.#state === 'absent') this.#state = 'awaits-output';
  }

  /** For how many more milliseconds the input stays open for the consumer. 0 if the consumer does not need the input. */
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

// Knows earlier attempts at the calls of the running turn, and what a call that the model makes again gets because of them.
import { errorResult } from '../../../answer/mcp/result/content-helpers.js';
import type { ToolRequest } from '../../../live/tooling/call-recorder.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { RecordedResult } from '../../../wire/protocol/config/call-records.js';
import { describeUnknown } from './result-texts.js';

/** What is known of an earlier attempt at a call. */
export interface EarlierCall {
  readonly begunAt: number | undefined;
  readonly isWaiting: boolean;
  readonly result: RecordedResult | undefined;
}

/** One per session. */
export class EarlierCalls {
  /** By the keys of the calls. */
  readonly #earlier = new Map<string, EarlierCall>();
  /** Whether what is remembered belongs to a turn that is about to go on. */
  #isRemembering = false;

  /** Keeps what is known of an earlier attempt at a call of a turn that is about to go on. */
  remember(callKey: string, earlier: EarlierCall): void {
    this.#earlier.set(callKey, earlier);
    this.#isRemembering = true;
  }

  /** Keeps what is known of a call that has just ended. */
  note(callKey: string, earlier: EarlierCall): void {
    this.#earlier.set(callKey, earlier);
  }

  /** Forgets the calls of the turn before, unless the turn that begins is the one that goes on. */
  startTurn(): void {
    // A message that asks an older CLI to go on with a turn is covered, too.
    if (!this.#isRemembering) this.#earlier.clear();
    this.#isRemembering = false;
  }

  /** The result of a call that the model repeats, if its tool's `onRepeat` asks for one. Undefined when the call runs again. */
  repeat({ onRepeat }: ToolRequest, { callKey }: CallIdentity): object | undefined {
    const earlier = this.#earlier.get(callKey);
    if (!earlier || onRepeat === undefined || onRepeat === 'run') return undefined;
    if (earlier.result) return earlier.result;
    const isUnknown = earlier.begunAt !== undefined && !earlier.isWaiting && onRepeat === 'unknown';
    return isUnknown ? errorResult(describeUnknown(earlier.begunAt)) : undefined;
  }
}

// Counts the errors of a session, each once: failed calls, failed turns, faults, and an end that was a failure. The page and
// `trace view` show the same number.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { TraceEnd } from '../trace-event.js';
import type { TimedEvent } from './activity.js';
import type { CallFates } from './call-fates.js';
import { isInterruption, isSuccess } from './tool-outcome.js';

/** The errors of one session. It must get each event of the session in order. */
export class ErrorCount {
  readonly #calls: CallFates;
  /** Errors other than failed calls. */
  #others = 0;
  #hasTurnFailed = false;
  #hasEndFailed = false;
  #isTerminated = false;
  #isInterrupted = false;

  /** The caller gives each event to `calls`, too. */
  constructor(calls: CallFates) {
    this.#calls = calls;
  }

  get count(): number {
    return this.#calls.failed + this.#others;
  }

  push(event: TimedEvent): void {
    switch (event.type) {
      case 'header':
        this.#isTerminated = false;
        this.#hasEndFailed = false;
        break;
      case 'frame':
        if (isRecord(event.frame)) this.#observe(event.frame, event.dir === 'out' ? 'out' : 'in');
        break;
      case 'terminate':
        this.#isTerminated = true;
        break;
      case 'fault':
        this.#others += 1;
        break;
      case 'end':
        if (event.error || (isOdd(event) && !this.#isTerminated)) this.#fail();
        else if (this.#hasTurnFailed) this.#hasEndFailed = true;
        break;
      case 'over':
        if (event.error && !this.#hasEndFailed) this.#fail();
        break;
      default:
    }
  }

  #observe(frame: WireObject, dir: 'in' | 'out'): void {
    const { request } = frame as { request?: unknown };
    if (dir === 'out' && isRecord(request) && request['subtype'] === 'interrupt') this.#isInterrupted = true;
    if (dir !== 'in' || frame['type'] !== 'result') return;
    this.#hasTurnFailed = !isSuccess(frame) && !isInterruption(frame, this.#isInterrupted);
    if (this.#hasTurnFailed) this.#others += 1;
    this.#isInterrupted = false;
  }

  /** After a failed turn, a failed end only repeats the error of the turn. */
  #fail(): void {
    if (!this.#hasTurnFailed) this.#others += 1;
    this.#hasEndFailed = true;
  }
}

function isOdd({ signal, exitCode }: TraceEnd): boolean {
  return signal !== null || (exitCode ?? 0) !== 0;
}

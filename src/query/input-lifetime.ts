// Decides, alone, when the CLI's input ends: when every prompt source has ended, every written message is
// answered, no background agent lives and no control request is open, in either direction. Two clocks see
// to it that a session ends whatever the CLI does; both count silence only.
import type { WireObject } from '../protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../protocol/messages.js';
import { TaskLedger } from './task-ledger.js';
import { TurnLedger } from './turn-ledger.js';

/** Silence after which an idle CLI is taken at its word although a message seems unanswered. */
const IDLE_SILENCE_MS = 5_000;
/** Silence after a result, without a word of being idle, after which nothing more is expected. */
const RESULT_SILENCE_MS = 600_000;
/** Silence after the end of input in which a CLI with nothing left to do should have gone. */
const LINGER_SILENCE_MS = 10_000;

export interface InputLifetimeOptions {
  openSources(): number;
  /** Control requests of ours that have no answer yet. */
  openRequests(): number;
  /** Questions of the CLI that the caller's callbacks are working on. */
  callbacksAtWork(): number;
  /** A prompt suggestion comes after each result and is waited for. */
  expectsSuggestion: boolean;
  endInput(): void;
  /** The input ended and the CLI stayed, silent. */
  onLingering(): void;
}

/** One per session; told of everything written and read. */
export class InputLifetime {
  readonly #options: InputLifetimeOptions;
  readonly #turns = new TurnLedger();
  readonly #tasks = new TaskLedger();
  #inputEnded = false;
  #stopped = false;
  #owesSuggestion = false;
  #lastActivity = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;

  constructor(options: InputLifetimeOptions) {
    this.#options = options;
  }

  get inputEnded(): boolean {
    return this.#inputEnded;
  }

  get unanswered(): number {
    return this.#turns.unanswered;
  }

  get lastResult(): SDKResultMessage | undefined {
    return this.#turns.lastResult;
  }

  wrote(message: SDKUserMessage): void {
    this.#turns.wrote(message);
  }

  observe(message: WireObject): void {
    this.#lastActivity = performance.now();
    this.#turns.observe(message);
    this.#tasks.observe(message);
    if (message['type'] === 'result') this.#owesSuggestion = this.#options.expectsSuggestion;
    else if (message['type'] === 'prompt_suggestion') this.#owesSuggestion = false;
    this.reconsider();
  }

  /** A control request was settled, in either direction. What comes of it counts from now: until now, one side waited. */
  settled(): void {
    this.#lastActivity = performance.now();
    this.reconsider();
  }

  /** Asks again; called whenever one of the conditions may have become true. */
  reconsider(): void {
    if (this.#stopped || this.#inputEnded || this.#isHeld()) return;
    if (this.#isDone() && !this.#owesSuggestion && this.#options.openRequests() === 0) this.#endInput();
    else this.#watchSilence(this.#silenceAllowed());
  }

  /** Nothing more is decided; the session ends by other means. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** While more may be written, or a callback is at work, silence of the CLI means nothing. */
  #isHeld(): boolean {
    return this.#options.openSources() > 0 || this.#options.callbacksAtWork() > 0;
  }

  #isDone(): boolean {
    const { state, unanswered } = this.#turns;
    return unanswered === 0 && this.#tasks.alive === 0 && (state === 'idle' || state === 'unreported');
  }

  /** Undefined while the CLI is at work on something that has not had a result yet. */
  #silenceAllowed(): number | undefined {
    if (!this.#turns.resultSinceWrite) return undefined;
    const isIdle =
      this.#turns.state === 'idle' && this.#tasks.alive === 0 && this.#options.openRequests() === 0;
    return isIdle ? IDLE_SILENCE_MS : RESULT_SILENCE_MS;
  }

  #endInput(): void {
    this.#inputEnded = true;
    const isDone = this.#isDone();
    this.#options.endInput();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastActivity = performance.now();
    this.#watchSilence(isDone ? LINGER_SILENCE_MS : RESULT_SILENCE_MS);
  }

  /** One timer at a time; it is not moved by activity, but asks when it fires how long it has been silent. */
  #watchSilence(allowedMs: number | undefined): void {
    if (allowedMs === undefined || this.#stopped) return;
    if (this.#timer !== undefined && this.#timerMs <= allowedMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = allowedMs;
    const elapsed = performance.now() - this.#lastActivity;
    this.#timer = setTimeout(() => this.#checkSilence(allowedMs), Math.max(1, allowedMs - elapsed));
    // It never keeps a host alive by itself: while the child lives, the child does.
    this.#timer.unref();
  }

  #checkSilence(allowedMs: number): void {
    this.#timer = undefined;
    const isSilent = performance.now() - this.#lastActivity >= allowedMs - 1;
    if (this.#inputEnded) {
      if (isSilent) this.#options.onLingering();
      else this.#watchSilence(allowedMs);
      return;
    }
    // What was true when the clock was set need not be true any more: more may have been written since.
    const isStillDue = !this.#isHeld() && this.#silenceAllowed() === allowedMs;
    if (isSilent && isStillDue) this.#endInput();
    else this.reconsider();
  }
}

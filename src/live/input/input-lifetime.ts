// The only place that decides when the CLI's input ends: when every prompt source has ended, every written message is
// answered, no background agent runs and no control request is open, in either direction. Limits on silence,
// before and after the input ends, make sure that the CLI ends whatever it does; a stall within a turn is found by
// `silence-watch`.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { TaskLedger } from './task-ledger.js';
import { TurnLedger } from './turn-ledger.js';

/** Silence between turns after which the CLI counts as done although a message seems unanswered: a waiting one starts its turn within milliseconds of the last result. */
const BETWEEN_TURNS_SILENCE_MS = 5_000;
/** The same while a control request of ours is open; old CLIs never answer one they do not know. */
const REQUEST_SILENCE_MS = 60_000;
/** Silence after a result, in the middle of something, after which nothing more is expected. The CLI's own limit for background work is the same. */
const WORKING_SILENCE_MS = 600_000;
/** Silence after the end of input in which a CLI with nothing left to do should have gone. */
const LINGER_SILENCE_MS = 10_000;
/** The same where a prompt suggestion may be under way, for which the CLI itself waits 30 s. */
const SUGGESTION_LINGER_MS = 40_000;

export interface InputLifetimeOptions {
  openSources(): number;
  /** Control requests of ours that have no answer yet. */
  openRequests(): number;
  /** Questions of the CLI that the caller's callbacks are working on. */
  callbacksAtWork(): number;
  /** Whether anyone here answers the CLI's questions: tools, hooks, permissions. */
  answersQuestions: boolean;
  /** A prompt suggestion may come after a result; the CLI sends it also when its input has ended. */
  expectsSuggestion: boolean;
  endInput(): void;
  /** The input ended and the CLI stayed, silent. */
  onLingering(): void;
}

/** One per live CLI; is notified of everything written and read. */
export class InputLifetime {
  readonly #options: InputLifetimeOptions;
  readonly #turns = new TurnLedger();
  readonly #tasks = new TaskLedger();
  #inputEnded = false;
  #stopped = false;
  /** The last shell ended while the CLI was idle: it starts a turn unasked, or reports once more that it is idle. */
  #owesTurn = false;
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
    const hadShells = this.#tasks.shells > 0;
    this.#turns.observe(message);
    this.#tasks.observe(message);
    if (message['subtype'] === 'session_state_changed') this.#owesTurn = false;
    else if (hadShells && this.#tasks.shells === 0) this.#owesTurn = this.#turns.state === 'idle';
    this.reconsider();
  }

  /** A control request was settled, in either direction. Silence counts from now: until now, one side waited. */
  settled(): void {
    this.#lastActivity = performance.now();
    this.reconsider();
  }

  /** Checks again; called whenever one of the conditions may have become true. */
  reconsider(): void {
    if (this.#stopped || this.#inputEnded || this.#isHeld()) return;
    if (this.#isDone() && this.#options.openRequests() === 0) this.#endInput();
    else this.#watchSilence(this.#silenceAllowed());
  }

  /** Decides nothing more: the CLI is ended by other means. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** While more may be written, or a callback runs, silence of the CLI means nothing. */
  #isHeld(): boolean {
    return this.#options.openSources() > 0 || this.#options.callbacksAtWork() > 0;
  }

  #isDone(): boolean {
    return (
      this.#turns.unanswered === 0 && !this.#isTaskHolding() && !this.#isTurnDue() && this.#isBetweenTurns()
    );
  }

  /** A shell holds the input only where its end can lead to questions; an agent always does. */
  #isTaskHolding(): boolean {
    return this.#tasks.agents > 0 || (this.#options.answersQuestions && this.#tasks.shells > 0);
  }

  #isTurnDue(): boolean {
    return this.#options.answersQuestions && this.#owesTurn;
  }

  #isBetweenTurns(): boolean {
    const { state, isInTurn } = this.#turns;
    return state === 'idle' || (state === 'unreported' && !isInTurn);
  }

  /** Undefined while the CLI is at work on something that has not had a result yet. */
  #silenceAllowed(): number | undefined {
    if (!this.#turns.resultSinceWrite) return undefined;
    if (!this.#isBetweenTurns() || this.#isTaskHolding()) return WORKING_SILENCE_MS;
    return this.#options.openRequests() > 0 ? REQUEST_SILENCE_MS : BETWEEN_TURNS_SILENCE_MS;
  }

  #endInput(): void {
    this.#inputEnded = true;
    this.#options.endInput();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastActivity = performance.now();
    this.#watchSilence(this.#lingerAllowed());
  }

  /** A CLI that still has work, or waits for a shell, may be silent for long. */
  #lingerAllowed(): number {
    if (!this.#isDone() || this.#tasks.shells > 0) return WORKING_SILENCE_MS;
    return this.#options.expectsSuggestion ? SUGGESTION_LINGER_MS : LINGER_SILENCE_MS;
  }

  /** One timer at a time; activity does not move it, but when it fires the length of the silence is checked. */
  #watchSilence(allowedMs: number | undefined): void {
    if (allowedMs === undefined || this.#stopped) return;
    if (this.#timer !== undefined && this.#timerMs <= allowedMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = allowedMs;
    const elapsed = performance.now() - this.#lastActivity;
    this.#timer = setTimeout(() => this.#checkSilence(allowedMs), Math.max(1, allowedMs - elapsed));
    // The child keeps the host alive; the timer alone must not.
    this.#timer.unref();
  }

  #checkSilence(allowedMs: number): void {
    this.#timer = undefined;
    const isSilent = performance.now() - this.#lastActivity >= allowedMs - 1;
    if (this.#inputEnded) {
      if (isSilent) this.#options.onLingering();
      else this.#watchSilence(this.#lingerAllowed());
      return;
    }
    // What was true when the timer was set may have changed: more may have been written since.
    const isStillDue = !this.#isHeld() && this.#silenceAllowed() === allowedMs;
    if (!isSilent || !isStillDue) {
      this.reconsider();
      return;
    }
    // What was silently folded into another turn has had its answer, and does not count as unanswered.
    if (allowedMs === BETWEEN_TURNS_SILENCE_MS) this.#turns.settle();
    this.#endInput();
  }
}

// Holds the turns of a conversation that are not over: those that wait here, in order, and those that the CLI has. Decides what
// becomes of them when the CLI or the conversation ends. `turn-writer` decides when a turn is written.
import { randomUUID } from '../../../util/random-uuid.js';
import { TurnLostError, type SessionClosedError } from '../../../errors.js';
import { closedBecause } from '../closed-because.js';
import type { CrashedEvent } from '../conversation-event.js';
import type { Resend } from '../restart-policy.js';
import { withdrawalError, type OpenTurn } from './turn.js';
import { TurnTracker } from './turn-tracker.js';

/** One per conversation. Everything that sends, withdraws or counts turns shares it. */
export class TurnQueue {
  /** The turns that wait here, next first. */
  readonly waiting: OpenTurn[] = [];
  /** The turns that the next CLI goes on with, oldest first. */
  readonly continuing: OpenTurn[] = [];
  /** The turns the CLI has. */
  readonly written = new TurnTracker();
  readonly #resend: Resend;
  /** The error that the last CLI ended with. */
  #cutBy: unknown;
  #isClosed = false;
  #endedBy: unknown;

  constructor(resend: Resend = 'never') {
    this.#resend = resend;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Lets the turn wait. After the end of the conversation it fails at once, and this returns false. */
  add(turn: OpenTurn): boolean {
    if (this.#isClosed) turn.fail(this.#closedError());
    else this.waiting.push(turn);
    return !this.#isClosed;
  }

  /** Removes a turn that waits here. Returns false when it does not wait here. */
  take(turn: OpenTurn): boolean {
    const index = this.waiting.indexOf(turn);
    if (index !== -1) this.waiting.splice(index, 1);
    return index !== -1;
  }

  /** Withdraws the waiting message with this id, or all of them without an id. False when there is none. */
  drop(uuid?: string): boolean {
    const dropped = this.waiting.filter((turn) => uuid === undefined || turn.uuid === uuid);
    for (const turn of dropped) {
      if (this.take(turn)) turn.fail(withdrawalError());
    }
    return dropped.length > 0;
  }

  /** Handles the end of the CLI. Its turns fail, or wait to be sent again or continued if the conversation goes on. */
  cut(error: unknown, goesOn: boolean): Pick<CrashedEvent, 'lost' | 'resent'> {
    const again: OpenTurn[] = [];
    const lost: string[] = [];
    this.#cutBy = error;
    // Where no other CLI follows, these turns cannot be continued.
    const continuing = goesOn ? [] : this.continuing.splice(0);
    for (const turn of [...continuing, ...this.written.drain()]) {
      const hasBegun = turn.state === 'running';
      if (turn.withdrawal && !hasBegun) {
        turn.fail(turn.withdrawal);
      } else if (goesOn && (!hasBegun || this.#isResendable(turn))) {
        turn.resent ||= hasBegun;
        turn.state = 'waiting';
        again.push(turn);
      } else {
        lost.push(turn.uuid);
        this.lose(turn, goesOn);
      }
    }
    const isContinued = ({ resent }: OpenTurn): boolean => resent && this.#resend === 'continue';
    this.continuing.push(...again.filter(isContinued));
    for (const turn of again.toReversed()) if (!isContinued(turn)) this.sendAgain(turn);
    return { lost, resent: again.map(({ uuid }) => uuid) };
  }

  /** Handles the end of a CLI whose turn waits. The turn goes on with the next CLI. Messages that had not begun are sent again. */
  letGo(): void {
    const unbegun: OpenTurn[] = [];
    for (const turn of this.written.drain()) {
      if (turn.state === 'running') this.continuing.push(turn);
      else if (turn.withdrawal) turn.fail(turn.withdrawal);
      else unbegun.push(turn);
    }
    for (const turn of unbegun.toReversed()) {
      turn.state = 'waiting';
      this.sendAgain(turn);
    }
  }

  /** Lets a turn wait to be sent to the next CLI, before all others. */
  sendAgain(turn: OpenTurn): void {
    // The CLI drops a message whose id it knows.
    turn.message = { ...turn.message, uuid: randomUUID() };
    this.waiting.unshift(turn);
  }

  /** Fails a turn whose CLI is gone. */
  lose(turn: OpenTurn, sessionGoesOn = true): void {
    const { uuid, resent, toolsUsed } = turn;
    turn.fail(new TurnLostError({ uuid, resent, toolsUsed, sessionGoesOn }, { cause: this.#cutBy }));
  }

  /** Fails every turn, including those that are added later. */
  close(error: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endedBy = error;
    // A turn to continue stays in its list, so that its transcript can still be given an end.
    const open = [...this.written.drain(), ...this.continuing, ...this.waiting.splice(0)];
    for (const turn of open) turn.fail(this.#closedError());
  }

  #isResendable({ resent, toolsUsed, withdrawal }: OpenTurn): boolean {
    // A turn is sent again only once: a message that ends every CLI must not end the conversation.
    if (resent || withdrawal) return false;
    return (
      this.#resend === 'unanswered' ||
      this.#resend === 'continue' ||
      (this.#resend === 'untouched' && !toolsUsed)
    );
  }

  #closedError(): SessionClosedError {
    return closedBecause(this.#endedBy);
  }
}

// Messages their senders no longer want: taken back where they wait, here or in the CLI; a turn that has begun by
// then is interrupted if that was asked for, too.
import { AbortError, ControlRequestError } from '../../errors.js';
import type { OpenTurn } from './turn.js';
import type { TurnTracker } from './turn-tracker.js';

export interface WithdrawalsOptions {
  tracker: TurnTracker;
  /** Takes a turn out of those that wait here; false when it is not among them. */
  takeWaiting: (turn: OpenTurn) => boolean;
  request: (request: { subtype: string }) => Promise<unknown>;
  /** A message left the CLI's queue. */
  onWithdrawn: () => void;
}

/** One per session. */
export class Withdrawals {
  readonly #options: WithdrawalsOptions;
  /** Given up too late to be withdrawn, and not seen to begin yet. */
  readonly #unwanted = new Set<OpenTurn>();

  constructor(options: WithdrawalsOptions) {
    this.#options = options;
  }

  /** Withdraws the message, or interrupts its turn, be it in the moment it begins. */
  async stop(turn: OpenTurn, reason: unknown): Promise<void> {
    if ((await this.withdraw(turn, reason).catch(() => false)) || turn.isOver) return;
    turn.withdrawal = describeWithdrawal(reason);
    this.#unwanted.add(turn);
    this.interruptBegun();
  }

  /** Interrupts what was given up and has begun since. */
  interruptBegun(): void {
    for (const turn of this.#unwanted) {
      if (turn.state !== 'running') continue;
      this.#unwanted.delete(turn);
      this.#options.request({ subtype: 'interrupt' }).catch(() => {});
    }
  }

  /** The turn is over. */
  forget(turn: OpenTurn): void {
    this.#unwanted.delete(turn);
  }

  /** Withdraws the message if its turn has not begun; false when it is too late. */
  async withdraw(turn: OpenTurn, reason: unknown): Promise<boolean> {
    const { tracker, takeWaiting, request, onWithdrawn } = this.#options;
    const error = describeWithdrawal(reason);
    if (takeWaiting(turn)) {
      turn.fail(error);
      return true;
    }
    // Without reports there is no telling whether it waits, and nobody who would answer.
    if (turn.state !== 'sent' || !tracker.reports) return false;
    turn.withdrawal = error;
    try {
      const asked = { subtype: 'cancel_async_message', message_uuid: turn.message.uuid };
      const answer = (await request(asked)) as { cancelled?: boolean } | undefined;
      if (answer?.cancelled === true) {
        tracker.forget(turn);
        turn.fail(error);
        onWithdrawn();
      }
    } catch (failure) {
      if (failure instanceof ControlRequestError) {
        turn.withdrawal = undefined;
        throw failure;
      }
      // The CLI is gone, and the message with it: what is withdrawn is not sent again.
      await turn.outcome().catch(() => {});
    }
    if (turn.failure === error) return true;
    turn.withdrawal = undefined;
    return false;
  }
}

function describeWithdrawal(reason: unknown): AbortError {
  return new AbortError('The message was withdrawn before its turn began', { cause: reason });
}

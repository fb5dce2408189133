// Withdraws messages that their senders no longer want, while they wait here or in the CLI's queue. If the turn has begun
// already, interrupts it where the sender gave a signal.
import { ControlRequestError, ControlTimeoutError } from '../../../errors.js';
import { onAbort } from '../../../util/on-abort.js';
import { withdrawalError, type OpenTurn } from './turn.js';
import type { TurnQueue } from './turn-queue.js';

/** How a message can be withdrawn after it was sent. */
export interface SendOptions {
  /** Withdraws the message while it waits; interrupts its turn once it runs. */
  signal?: AbortSignal | undefined;
}

export interface WithdrawalsOptions {
  turns: TurnQueue;
  request: (request: { subtype: string }) => Promise<unknown>;
  /** Called when a message was withdrawn from the CLI's queue. */
  onWithdrawn: () => void;
}

/** One per conversation. */
export class Withdrawals {
  readonly #options: WithdrawalsOptions;
  /** Turns whose messages could not be withdrawn in time. Each is interrupted as soon as it is seen to run. */
  readonly #unwanted = new Set<OpenTurn>();

  constructor(options: WithdrawalsOptions) {
    this.#options = options;
  }

  /** Stops the turn when the signal aborts, as long as the turn is not over. */
  stopOn(signal: AbortSignal, turn: OpenTurn): void {
    const forget = onAbort(signal, () => void this.stop(turn, signal.reason));
    const { onOver } = turn;
    turn.onOver = () => {
      forget();
      onOver?.();
    };
    if (signal.aborted) void this.stop(turn, signal.reason);
  }

  /** Withdraws the message. Where that is too late, interrupts its turn as soon as it runs. */
  async stop(turn: OpenTurn, reason: unknown): Promise<void> {
    if ((await this.withdraw(turn, reason).catch(() => false)) || turn.isOver) return;
    turn.withdrawal = withdrawalError(reason);
    this.#unwanted.add(turn);
    this.interruptBegun();
  }

  /** Interrupts unwanted turns that have begun since. */
  interruptBegun(): void {
    for (const turn of this.#unwanted) {
      if (turn.state !== 'running') continue;
      this.#unwanted.delete(turn);
      this.#options.request({ subtype: 'interrupt' }).catch(() => {});
    }
  }

  /** Forgets a turn that is over. */
  forget(turn: OpenTurn): void {
    this.#unwanted.delete(turn);
  }

  /** Withdraws the message if its turn has not begun. Resolves with false if it is too late. */
  async withdraw(turn: OpenTurn, reason: unknown): Promise<boolean> {
    const { turns, request, onWithdrawn } = this.#options;
    const error = withdrawalError(reason);
    if (turns.take(turn)) {
      turn.fail(error);
      return true;
    }
    // A CLI without reports does not say whether the message waits, and does not know this request.
    if (turn.state !== 'sent' || !turns.written.reports) return false;
    turn.withdrawal = error;
    try {
      const asked = { subtype: 'cancel_async_message', message_uuid: turn.message.uuid };
      const answer = (await request(asked)) as { cancelled?: boolean } | undefined;
      if (answer?.cancelled === true) {
        turns.written.forget(turn);
        turn.fail(error);
        onWithdrawn();
      }
    } catch (failure) {
      if (failure instanceof ControlRequestError || failure instanceof ControlTimeoutError) {
        turn.withdrawal = undefined;
        throw failure;
      }
      // The CLI is gone. The turn ends with it, because a message that is being withdrawn is not sent again.
      await turn.outcome().catch(() => {});
    }
    if (turn.failure === error) return true;
    turn.withdrawal = undefined;
    return false;
  }
}

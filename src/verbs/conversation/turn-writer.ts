// Writes waiting turns to the CLI, in order, as soon as each may be written: when the CLI is ready, the turns before
// allow it, and whoever shares limits between conversations has room.
import { checkMessage } from '../../live/input/user-message.js';
import type { ConversationCli } from './conversation-cli.js';
import type { OpenTurn } from './turns/turn.js';
import type { TurnQueue } from './turns/turn-queue.js';

/** What a conversation asks of whoever shares limits between conversations. With a gate, messages are never merged. */
export interface TurnGate {
  /** Resolves when the turn may begin, or is over already; never rejects. */
  enter(turn: OpenTurn): Promise<void>;
  /** The turn is over; called once for each that entered. */
  leave(turn: OpenTurn): void;
  /** Awaited before each start of a CLI. */
  beforeStart(): Promise<void>;
  /** A CLI is gone, or was not started after all. */
  onGone(): void;
  /** Something ended, so the conversation may be idle now. */
  onChange(): void;
}

export interface TurnWriterOptions {
  turns: TurnQueue;
  cli: ConversationCli;
  gate: TurnGate | undefined;
  oneByOne: boolean;
}

/** One per conversation. */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly #entered = new WeakSet<OpenTurn>();
  #isWriting = false;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
  }

  /** Writes what may be written now; call it whenever that could have changed. */
  async writeWaiting(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const { turns } = this.#options;
    try {
      for (let turn = turns.next; turn && this.#mayWrite(); turn = turns.next) await this.#write(turn);
    } finally {
      this.#isWriting = false;
    }
  }

  /** The turn is over. */
  forget(turn: OpenTurn): void {
    if (this.#entered.has(turn)) this.#options.gate?.leave(turn);
  }

  /** A CLI that does not report on single messages gets one at a time: its results could not be told apart. */
  #mayWrite(): boolean {
    const { turns, oneByOne, gate } = this.#options;
    if (turns.isClosed) return false;
    return turns.written.size === 0 || (turns.written.reports && !oneByOne && !gate);
  }

  async #write(turn: OpenTurn): Promise<void> {
    const { turns, cli, gate } = this.#options;
    if (gate && !this.#entered.has(turn)) {
      this.#entered.add(turn);
      await gate.enter(turn);
      if (turn.isOver) return;
    }
    const live = await cli.whenReady().catch(() => undefined);
    // Since then the CLI may have ended, or the message been withdrawn.
    const isCurrent = live !== undefined && live === cli.live && cli.isReady;
    if (!isCurrent || turns.next !== turn || !this.#mayWrite()) return;
    turns.take(turn);
    try {
      checkMessage(turn.message, live.version);
    } catch (error) {
      turn.fail(error);
      return;
    }
    turns.written.wrote(turn);
    // A message that cannot be written is cut with the CLI it was meant for.
    await cli.write(live, turn.message).catch(() => {});
  }
}

// What a session asks of whoever shares limits between sessions.
import type { OpenTurn } from './turn.js';

/** Lets a turn of several sessions begin when there is room. With one, messages are never merged. */
export interface TurnGate {
  /** Resolves when the turn may begin, or has been left; never rejects. */
  enter(turn: OpenTurn): Promise<void>;
  /** The turn is over, or no longer wanted; called once for each that entered. */
  leave(turn: OpenTurn): void;
  /** Awaited before each start of a CLI. */
  beforeStart(): Promise<void>;
  /** A CLI is gone, or was not started after all. */
  onGone(): void;
  /** Something came to its end, so that the session may be idle now. */
  onChange(): void;
}

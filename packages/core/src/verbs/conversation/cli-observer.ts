// The events of a conversation's CLI. They are the same for each process that the conversation has, one after the other.
// Types only.
import type { LiveCli } from '../../live/live-cli.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { OpenTurn } from './turns/turn.js';

/** Receives what the CLI does. */
export interface CliObserver {
  onMessage(message: SDKMessage): void;
  /** A CLI is being started. */
  onLaunch(live: LiveCli): void;
  /** The CLI is gone; another may follow. */
  onGone(): void;
  onReady(): void;
  /** Called once, at the first start, with the turn that was cut off before the session was opened and goes on now, if any. */
  onContinued(turn: OpenTurn | undefined): void;
  /** The CLI is idle and has not taken up the message with this id. */
  onIgnored(uuid: string): void;
  /** The CLI ended although nobody asked it to, so its turns are cut off. */
  onCut(): void;
  /** Called once, last. */
  onOver(error: unknown): void;
}

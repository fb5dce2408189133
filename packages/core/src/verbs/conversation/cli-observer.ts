// What a conversation hears of its CLI, whichever process that is at the moment. Types only.
import type { LiveCli } from '../../live/live-cli.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { OpenTurn } from './turns/turn.js';

/** Receives what the CLI does. */
export interface CliObserver {
  onMessage(message: SDKMessage): void;
  /** A CLI is being started. */
  onLaunch(live: LiveCli): void;
  /** It is gone; another may follow. */
  onGone(): void;
  onReady(): void;
  /** The turn that was cut off before the session was opened and goes on now; called once, at the first start. */
  onContinued(turn: OpenTurn | undefined): void;
  /** The CLI is idle and has not taken up the message with this id. */
  onIgnored(uuid: string): void;
  /** The CLI ended unasked, and the turns it had are cut. */
  onCut(): void;
  /** Called once, last. */
  onOver(error: unknown): void;
}

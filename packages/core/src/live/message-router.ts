// Routes each decoded message of the CLI to the consumer. Observers see the message first, and its session id and commands
// are remembered. A message that is meant only for the host is not passed on.
import type { Options } from '../options/options.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { SlashCommand } from '../wire/protocol/control/control.js';
import { describeUnread } from '../wire/channel/malformed-line.js';
import { detectResumeMismatch } from '../record/history/resume-mismatch.js';
import type { WarningReporter } from '../options/check/warning-reporter.js';

/**
 * Receives every decoded message, in order, before the consumer does. If it cannot read one, a warning says so, and the message goes
 * on to the others and to the consumer.
 */
export interface MessageObserver {
  observe(message: WireObject): void;
}

export interface MessageRouterOptions {
  options: Options;
  warnings: WarningReporter;
  observers: readonly MessageObserver[];
  /** Gives a message to the consumer. `line` is its text. */
  pass(message: WireObject, line: string): void;
}

/** One per live CLI. */
export class MessageRouter {
  readonly #given: MessageRouterOptions;
  #changedCommands: SlashCommand[] | undefined;
  #sessionId: string | undefined;
  #hasBegun = false;

  constructor(given: MessageRouterOptions) {
    this.#given = given;
  }

  /** The id in the last message that had one. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The slash commands that the CLI last listed in a message. Undefined if it listed none since the last handshake. */
  get changedCommands(): SlashCommand[] | undefined {
    return this.#changedCommands;
  }

  /** Forgets the commands, because the CLI has since listed them in an answer to the handshake. */
  forgetCommands(): void {
    this.#changedCommands = undefined;
  }

  receive(message: WireObject, line: string): void {
    for (const observer of this.#given.observers) {
      try {
        observer.observe(message);
      } catch (error) {
        this.#given.warnings.observe(describeUnread(error, line));
      }
    }
    this.#noteSession(message);
    if (message['subtype'] === 'commands_changed' && Array.isArray(message['commands'])) {
      this.#changedCommands = message['commands'] as SlashCommand[];
    }
    if (!isForHostOnly(message)) this.#given.pass(message, line);
  }

  /**
   * Remembers the session id, and warns if the CLI began a session that was not asked for. A CLI that does not find the
   * session to resume may begin another one and report success.
   */
  #noteSession(message: WireObject): void {
    const id = message['session_id'];
    if (typeof id !== 'string') return;
    // Messages with an id may come before the first `init`. A later `init` belongs to a session that was begun on
    // purpose.
    if (!this.#hasBegun && message['subtype'] === 'init') {
      this.#hasBegun = true;
      const { options, warnings } = this.#given;
      const mismatch = detectResumeMismatch({ asked: options, init: { session_id: id } });
      if (mismatch) warnings.emit({ code: mismatch.code, message: mismatch.message, error: mismatch });
    }
    this.#sessionId = id;
  }
}

/** Whether the CLI marks a message as meant for the SDK itself. */
function isForHostOnly(message: WireObject): boolean {
  return message['subtype'] === 'session_state_changed' && message['sdk_host_only'] === true;
}

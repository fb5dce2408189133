// What happens to each message of the CLI on its way to the consumer: observers see it first, the session id and the
// commands in it are remembered, and what is meant for the host alone is not passed on.
import type { Options } from '../options/options.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { SlashCommand } from '../wire/protocol/control/control.js';
import { detectResumeMismatch } from '../record/history/resume-mismatch.js';
import type { WarningReporter } from '../options/check/warning-reporter.js';

/** Receives every message, in order, before the consumer does. */
export interface MessageObserver {
  observe(message: WireObject): void;
}

export interface MessageRouterOptions {
  options: Options;
  warnings: WarningReporter;
  observers: readonly MessageObserver[];
  /** Gives a message to the consumer; `line` is its text. */
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

  /** The slash commands as the CLI last listed them in a message; undefined while it has not. */
  get changedCommands(): SlashCommand[] | undefined {
    return this.#changedCommands;
  }

  /** The CLI has listed its commands elsewhere since. */
  forgetCommands(): void {
    this.#changedCommands = undefined;
  }

  receive(message: WireObject, line: string): void {
    for (const observer of this.#given.observers) observer.observe(message);
    this.#noteSession(message);
    if (message['subtype'] === 'commands_changed' && Array.isArray(message['commands'])) {
      this.#changedCommands = message['commands'] as SlashCommand[];
    }
    if (!isForHostOnly(message)) this.#given.pass(message, line);
  }

  /** A CLI that does not find the session to resume may start another and report success. */
  #noteSession(message: WireObject): void {
    const id = message['session_id'];
    if (typeof id !== 'string') return;
    // Messages with an id may come before the first `init`; a later `init` belongs to a session begun on purpose.
    if (!this.#hasBegun && message['subtype'] === 'init') {
      this.#hasBegun = true;
      const { options, warnings } = this.#given;
      const mismatch = detectResumeMismatch({ asked: options, init: { session_id: id } });
      if (mismatch) warnings.emit({ code: mismatch.code, message: mismatch.message, error: mismatch });
    }
    this.#sessionId = id;
  }
}

/** Reports that the CLI marks as meant for the SDK itself. */
function isForHostOnly(message: WireObject): boolean {
  return message['subtype'] === 'session_state_changed' && message['sdk_host_only'] === true;
}

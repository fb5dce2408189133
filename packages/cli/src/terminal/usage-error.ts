// The errors of the command `inboard` and their exit codes. One class is for a wrong command line, the other for a
// command that fails.
import { InboardError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** The exit codes of the command. */
export const EXIT_CODES = {
  ok: 0,
  /** The command failed. */
  failed: 1,
  /** The command line was wrong; nothing was done. */
  usage: 2,
  /** Ended by Ctrl-C or another signal. Shells use this number for Ctrl-C. */
  interrupted: 130,
} as const;

/** The command line is wrong. The message says how, and the user is then told how to get help. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A failure that its message explains in full, so that no stack is shown. */
export class CommandError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.code = code;
  }
}

/** What is printed for an error: the message for our own errors, the stack for all others. */
export function describeError(error: unknown): string {
  if (error instanceof CommandError || error instanceof InboardError) return error.message;
  return error instanceof Error && error.stack ? error.stack : messageOf(error);
}

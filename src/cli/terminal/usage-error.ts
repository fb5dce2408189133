// What can be wrong with a command line, as opposed to what goes wrong in doing what it asks.

/** The exit codes of the command. */
export const EXIT_CODES = {
  ok: 0,
  /** What was asked for failed. */
  failed: 1,
  /** The command line was wrong; nothing was done. */
  usage: 2,
  /** Ended by Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;

/** The command line is wrong; the message says how, and the help of the command is pointed to. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Something failed in a way that is said in full by its message; no stack is shown. */
export class CommandError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.code = code;
  }
}

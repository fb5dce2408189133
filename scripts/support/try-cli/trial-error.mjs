// What keeps a trial from being made at all: wrong usage, a version that does not exist, no registry, a broken download.

/** Ends the command with exit code 2; its message says what was wrong and what to do. */
export class TrialError extends Error {
  name = 'TrialError';
}

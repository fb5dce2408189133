// Advice about errors of finding and starting the CLI.
import type { Advice } from './advice.js';

export const LAUNCH_ADVICE: Advice<
  'ExecutableNotFoundError' | 'LaunchError' | 'HandshakeError' | 'ClaimError'
> = {
  ExecutableNotFoundError: {
    EXECUTABLE_NOT_FOUND: {
      when: 'No Claude CLI was found in any of the places in `tried`.',
      advice:
        'Install `@anthropic-ai/claude-code`, or set `pathToClaudeCodeExecutable`. `npx inboard doctor` shows where it looks.',
    },
  },
  LaunchError: {
    CWD_NOT_FOUND: {
      when: '`cwd` does not exist, is not a directory, or this user may not enter it.',
      advice: 'Create the directory, or correct `cwd`.',
    },
    RUNTIME_NOT_FOUND: {
      when: 'The CLI is a script, and the runtime that should run it is not installed.',
      advice: 'Install the runtime, or name another one with `executable`.',
    },
    EXECUTABLE_NOT_PERMITTED: {
      when: 'The CLI file exists, but this user may not execute it.',
      advice: 'Make the file executable, or install the CLI again.',
    },
    WRONG_PLATFORM: {
      when: 'The CLI file is not a program for this system or processor, or its loader is missing.',
      advice: 'Install the CLI on this machine instead of copying it from another one.',
    },
    ARGUMENTS_TOO_LONG: {
      when: 'The options result in a command line that is longer than the system allows.',
      advice: 'Shorten the option that the message names, or move its value into a file.',
    },
    ENVIRONMENT_TOO_LONG: {
      when: 'The environment is longer than the system allows.',
      advice: 'Pass fewer or shorter variables in `env`.',
    },
    TEMPORARY_FOLDER_UNUSABLE: {
      when: 'A private file for the CLI cannot be written to the temporary folder.',
      advice: 'Free space, or point `TMPDIR` (`TEMP` on Windows) to a folder you can write to.',
      retryable: 'the disk is full, or too many files are open',
    },
    SESSION_RUNNING: {
      when: 'A transcript with the `sessionId` of the new session is on this disk, `sessionStore` has nothing of it, and the session is running, or may be: the message says why. Or a turn that was cut off is to be continued, and another process continues it already.',
      advice:
        'Use another `sessionId`, or wait until the session has ended and continue it with `resume`. If nobody runs it and the message names a file, delete that.',
      retryable: true,
    },
    SPAWN_FAILED: {
      when: 'The system refused to start the process, or `spawnClaudeCodeProcess` failed.',
      advice: 'Read `cause`: it is the error from the system or from your function.',
      retryable: 'the system could not start another process at that moment',
    },
  },
  HandshakeError: {
    HANDSHAKE_TIMEOUT: {
      when: 'The CLI did not answer the opening handshake within `handshakeTimeoutMs`.',
      advice: 'Read `stderrTail`. On a slow machine, raise `handshakeTimeoutMs`.',
      retryable: true,
    },
    HANDSHAKE_REFUSED: {
      when: 'The CLI refused the handshake, so hooks and in-process tools would not work.',
      advice: 'Read the message and `stderrTail`, in which the CLI says why.',
    },
  },
  ClaimError: {
    CLAIM_REFUSED: {
      when: 'A CLI started by `prewarm()` could not be claimed with these options; `refusal` says why.',
      advice: 'Use `query()` for this prompt, or claim with options that a prewarmed CLI can take.',
    },
  },
};

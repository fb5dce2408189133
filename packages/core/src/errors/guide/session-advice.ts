// Advice about errors of a running CLI, and of its end.
import type { Advice } from './advice.js';

export const SESSION_ADVICE: Advice<
  | 'ProcessExitError'
  | 'IncompleteRunError'
  | 'WireError'
  | 'SessionClosedError'
  | 'StalledError'
  | 'TurnLostError'
  | 'MessageIgnoredError'
  | 'AbortError'
> = {
  ProcessExitError: {
    PROCESS_EXITED: {
      when: 'The CLI exited before its work was done.',
      advice: 'Read `exitCode` and `stderrTail`. `npx inboard doctor` finds the usual causes.',
    },
    PROCESS_KILLED: {
      when: 'A signal ended the CLI before its work was done, for instance because memory ran out.',
      advice: 'Resume the session with `resume`. `signal` says which signal it was.',
      retryable: true,
    },
  },
  IncompleteRunError: {
    NO_RESULT: {
      when: 'The CLI exited normally but left a message unanswered.',
      advice: 'Send the message again; with `resume` the conversation so far is kept.',
      retryable: true,
    },
  },
  WireError: {
    LINE_TOO_LONG: {
      when: 'A line from the CLI is longer than `maxLineBytes`. A warning; the line is dropped.',
      advice: 'Raise `maxLineBytes`, or have tools return less.',
    },
    MALFORMED_LINE: {
      when: 'A line from the CLI is not JSON. A warning; the line is dropped.',
      advice:
        'Find out what else writes to the standard output of the CLI, such as a wrapper script or a debug setting.',
    },
    PADDED_LINE: {
      when: 'A line from the CLI had NUL bytes around it. A warning; the line is used without them.',
      advice: 'Nothing is lost. Check the disk or pipe that the line came through.',
    },
    MALFORMED_FRAME: {
      when: 'A line from the CLI is JSON but not a message, and is dropped; or a part of a message cannot be read, and the message is passed on. A warning.',
      advice: 'Record a [trace](traces.md) and report it; the message quotes the line.',
    },
    INPUT_BROKEN: {
      when: 'The CLI closed its input, or a transport cannot write. A warning; the end of the session follows.',
      advice: 'Handle the error that the session ends with.',
    },
    OUTPUT_BROKEN: {
      when: 'The output of the CLI can no longer be read. A warning, and the `cause` of the error that follows.',
      advice: 'Handle the error that the session ends with.',
    },
    UNENCODABLE: {
      when: 'A prompt, or a value given to a control method, cannot be written as JSON: a cycle, a function, a `BigInt`.',
      advice: 'Pass plain data.',
    },
  },
  SessionClosedError: {
    SESSION_CLOSED: {
      when: 'A method was called after the session ended, or was still waiting when it did. `cause` is the error that the session ended with, if any.',
      advice: 'Open a new session, or resume this one.',
    },
  },
  StalledError: {
    STALLED: {
      when: 'During a turn, the CLI was silent for longer than `idleTimeoutMs` and was not waiting for your program.',
      advice: 'Resume the session, or raise `idleTimeoutMs` if the model may think that long.',
      retryable: true,
    },
  },
  TurnLostError: {
    TURN_LOST: {
      when: 'The CLI of an `openSession()` session exited in the middle of this turn, and the message was not sent again.',
      advice:
        'Check `toolsUsed` before you send it again: a tool may already have done something. See [long conversations](long-conversations.md).',
      retryable: 'the model had not called a tool in this turn',
    },
  },
  MessageIgnoredError: {
    MESSAGE_IGNORED: {
      when: 'The CLI ignored a message because it has seen its `uuid` before, and is idle.',
      advice: 'Send it under another `uuid`, or without one.',
    },
  },
  AbortError: {
    ABORTED: {
      when: 'Your `abortController` or a `signal` was aborted; `cause` is the reason you gave.',
      advice: 'Usually nothing: you asked for it.',
    },
  },
};

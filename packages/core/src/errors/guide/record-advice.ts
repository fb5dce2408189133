// Advice about errors of past sessions, stores, traces and tests.
import type { Advice } from './advice.js';

export const RECORD_ADVICE: Advice<
  | 'SessionNotFoundError'
  | 'SessionStoreError'
  | 'CallError'
  | 'StoredFormatError'
  | 'TraceError'
  | 'ReplayError'
  | 'ScriptMismatchError'
> = {
  SessionNotFoundError: {
    SESSION_NOT_FOUND: {
      when: 'No session with that id was found, or the CLI started another one instead of resuming it.',
      advice: 'Check the id and `cwd`: the CLI keeps sessions by working directory.',
    },
  },
  SessionStoreError: {
    SESSION_STORE_FAILED: {
      when: 'A method of your `sessionStore` threw, or returned something that cannot be used.',
      advice: 'Read `operation` and `cause`. `describeSessionStore()` of `inboard/testing` tests a store.',
      retryable: 'the store threw',
    },
    SESSION_STORE_TIMEOUT: {
      when: 'A method of your `sessionStore` did not answer within `loadTimeoutMs`.',
      advice: 'Raise `loadTimeoutMs`, or find out why the store is slow.',
      retryable: true,
    },
  },
  CallError: {
    CALL_UNKNOWN: {
      when: 'No session in these records has a call with that key: the key is wrong, belongs to other records or another project, or the session was deleted.',
      advice:
        'Check the key, and that `createCalls()` has the `sessionStore`, `dir` and `env` of the host. Answer a webhook with 404.',
    },
    CALL_ENDED: {
      when: 'The call was completed or failed before, or its turn was stopped; `endedAt` and `by` say when and by whom. The value was not used.',
      advice: 'Nothing is to be done. A webhook that is delivered twice gets this the second time.',
    },
    CALL_NOT_PENDING: {
      when: 'The call exists, but its handler did not return `pending()`, or has not yet.',
      advice: 'Complete only calls whose handler returned `pending()`. If it is about to, try again.',
      retryable: 'the call has begun and has not ended',
    },
    CALL_VALUE: {
      when: 'The value cannot be a result of this tool: it does not fit its `outputSchema`, has content that MCP does not know, has no JSON, or is too long. The call stays pending.',
      advice: 'Read the message, and complete the call with a value that fits, or with `fail()`.',
    },
  },
  StoredFormatError: {
    STORED_FORMAT_TOO_NEW: {
      when: 'An answer was given to a question of which the approvals folder has a newer format version than this package knows: a newer Inboard shares the folder. `list()` skips such files, with a warning.',
      advice:
        'Update the package in every program that uses the folder. Until then the file is left as it is.',
    },
  },
  TraceError: {
    TRACE_UNREADABLE: {
      when: 'A file cannot be read, is not a trace, or has a newer format version than this package knows.',
      advice: 'Check `file`. For a newer version, update the package.',
    },
    TRACE_INCOMPLETE: {
      when: 'A replay reached a point where the recording was cut off or lacks a line.',
      advice: 'Record the session again, through to its end.',
    },
    TRACE_NOT_WRITTEN: {
      when: 'The trace can no longer be written. A warning; the session continues without it.',
      advice: 'Free space, or name another file.',
    },
  },
  ReplayError: {
    REPLAY_STUCK: {
      when: 'A replay is waiting for something that your program did not send; `expected` says what.',
      advice: 'Make the program send what it sent during the recording, or record the session again.',
    },
  },
  ScriptMismatchError: {
    SCRIPT_MISMATCH: {
      when: 'Something that a test scripted for the fake CLI or the scripted model did not happen, or something else did.',
      advice: 'Read `problems`; each is one difference.',
    },
  },
};

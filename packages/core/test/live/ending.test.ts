import { describe, expect, it } from 'vitest';
import {
  AbortError,
  HandshakeError,
  IncompleteRunError,
  LaunchError,
  ProcessExitError,
  ResultError,
} from '../../src/errors.js';
import type { SDKResultMessage } from '../../src/wire/protocol/messages/messages.js';
import { decideEnding, type EndFacts } from '../../src/live/ending.js';

const exit = (exitCode: number | null, signal: string | null = null, stderrTail = '') => ({
  exitCode,
  signal,
  stderrTail,
});
const result = (fields: object): SDKResultMessage =>
  ({ type: 'result', subtype: 'success', is_error: false, session_id: 's', ...fields }) as SDKResultMessage;
const decide = (facts: Partial<EndFacts>): unknown =>
  decideEnding({
    cause: undefined,
    end: exit(0),
    phase: 'running',
    lastResult: undefined,
    unanswered: 0,
    ignored: [],
    ...facts,
  });

const good = result({ result: 'fine' });
const bad = result({ is_error: true, result: 'API Error: 400', terminal_reason: 'api_error' });

describe('ends that are clean', () => {
  it.each([
    ['closed by the caller', { cause: { kind: 'closed' }, end: exit(143), unanswered: 1 }],
    ['closed before anything was started', { cause: { kind: 'closed' }, end: undefined }],
    [
      'lingering after its work',
      { cause: { kind: 'lingered' }, end: exit(null, 'SIGTERM'), lastResult: good },
    ],
    ['exit 0 after the answer', { lastResult: good }],
    ['exit 1 after a good result', { lastResult: good, end: exit(1) }],
    ['a signal after a good result', { lastResult: good, end: exit(null, 'SIGKILL') }],
    ['exit 0 after an error result', { lastResult: bad }],
    [
      'exit 1 after an interrupted turn',
      {
        lastResult: result({
          subtype: 'error_during_execution',
          is_error: true,
          terminal_reason: 'aborted_tools',
        }),
        end: exit(1),
      },
    ],
    ['nothing asked, nothing answered', {}],
  ] as [string, Partial<EndFacts>][])('%s', (_what, facts) => {
    expect(decide(facts)).toBeUndefined();
  });
});

describe('ends that are errors', () => {
  it('gives the caller’s reason as the cause of an abort', () => {
    const error = decide({ cause: { kind: 'aborted', reason: 'why' }, unanswered: 1 });
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ code: 'ABORTED', cause: 'why' });
  });

  it('gives the error that ended the session as itself', () => {
    const error = new Error('mine');
    expect(decide({ cause: { kind: 'failed', error }, end: exit(1) })).toBe(error);
  });

  it('adds to a failed handshake what the CLI wrote to stderr', () => {
    const error = new HandshakeError('HANDSHAKE_TIMEOUT', 'No answer.', { retryable: true });
    const cause = { kind: 'failed', error } as const;
    expect(decide({ cause, end: exit(0) })).toBe(error);
    expect(decide({ cause, end: exit(143, null, 'no licence\n') })).toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
      retryable: true,
      stderrTail: 'no licence\n',
      message: 'No answer. It wrote to stderr: no licence',
    });
  });

  it('gives a launch error as it is', () => {
    const error = new LaunchError('SPAWN_FAILED', 'no');
    expect(decide({ end: { ...exit(null), error } })).toBe(error);
  });

  it('throws after an error result that made the CLI exit with 1', () => {
    const error = decide({ lastResult: bad, end: exit(1) });
    expect(error).toBeInstanceOf(ResultError);
    expect(error).toMatchObject({
      code: 'ERROR_RESULT',
      errorClass: 'error_result',
      result: bad,
      exitCode: 1,
    });
    expect((error as Error).message).toContain('API Error: 400');
  });

  it('names exit code, phase and stderr of a crash', () => {
    const error = decide({ end: exit(3, null, 'boom'), phase: 'handshake', unanswered: 1 });
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({
      code: 'PROCESS_EXITED',
      exitCode: 3,
      phase: 'handshake',
      stderrTail: 'boom',
    });
    expect((error as Error).message).toMatch(/code 3 before it answered the handshake.*boom/);
  });

  it('names the signal, and that a retry can help', () => {
    expect(decide({ end: exit(null, 'SIGKILL'), unanswered: 1 })).toMatchObject({
      code: 'PROCESS_KILLED',
      signal: 'SIGKILL',
      errorClass: 'process_killed_by_signal',
      retryable: true,
    });
  });

  it('counts a crash in the second turn as a crash, whatever the first gave', () => {
    expect(decide({ lastResult: good, unanswered: 1, end: exit(1) })).toBeInstanceOf(ProcessExitError);
  });

  it('never takes a tidy exit without an answer for success', () => {
    expect(decide({ unanswered: 1 })).toBeInstanceOf(IncompleteRunError);
    expect(decide({ unanswered: 2, lastResult: good })).toMatchObject({ code: 'NO_RESULT', retryable: true });
  });
});

// Decides how the end of a live CLI looks to its consumer: which error the consumer gets, if any. It does no I/O.
// `live-end` ends the CLI.
import {
  AbortError,
  HandshakeError,
  IncompleteRunError,
  MessageIgnoredError,
  ProcessExitError,
  ResultError,
  SessionClosedError,
  WireError,
  type ErrorFacts,
  type ErrorPhase,
} from '../errors.js';
import { withoutUndefined } from '../util/without-undefined.js';
import type { SDKResultMessage } from '../wire/protocol/messages/messages.js';
import type { TransportEnd } from '../wire/transport/transport.js';
import { outcomeOf } from './output/outcome.js';

/** Why the CLI is ended, when it does not end on its own. */
export type EndCause =
  | { kind: 'closed' }
  /** Like `closed`, but the turn is left as a crash would leave it. */
  | { kind: 'abandoned' }
  /** Like `abandoned`, but the turn goes on later: its handlers run on, and its questions stay open. */
  | { kind: 'released' }
  | { kind: 'aborted'; reason: unknown }
  | { kind: 'failed'; error: unknown }
  /** The session store accepts nothing from this process any more. The CLI must not work on, so it is killed at once. */
  | { kind: 'refused'; error: Error }
  /** The work was done and the process did not exit on its own. */
  | { kind: 'lingered' }
  /** Like `lingered`, but the CLI had already left a request unanswered. It is not expected to react to anything. */
  | { kind: 'wedged' };

/** Whether the CLI is ended at once, so that it cannot finish or save its work. */
export function isAtOnce({ kind }: EndCause): boolean {
  return kind === 'abandoned' || kind === 'released' || kind === 'refused';
}

/** Whether the caller wanted the end. */
export function isAskedFor(cause: EndCause | undefined): boolean {
  return isPlain(cause) || cause?.kind === 'aborted';
}

/** Whether the end is wanted and needs no explanation. */
function isPlain(cause: EndCause | undefined): boolean {
  return cause?.kind === 'closed' || cause?.kind === 'abandoned' || cause?.kind === 'released';
}

/** Everything the outcome depends on. */
export interface EndFacts {
  cause: EndCause | undefined;
  /** Undefined when nothing was started. */
  end: TransportEnd | undefined;
  phase: ErrorPhase;
  lastResult: SDKResultMessage | undefined;
  /** The number of written messages that have no answer. */
  unanswered: number;
  /** The uuids of the messages that the CLI did not take up. */
  ignored: readonly string[];
}

/** The error that the consumer gets after the last message. Undefined for a clean end. */
export function decideEnding(facts: EndFacts): unknown {
  const { cause, end } = facts;
  if (cause?.kind === 'refused') return cause.error;
  if (cause?.kind === 'failed') return end ? withStderr(cause.error, end) : cause.error;
  if (cause?.kind === 'aborted')
    return new AbortError(undefined, { cause: cause.reason, phase: facts.phase });
  if (isPlain(cause) || !end) return undefined;
  // After broken output the CLI did run and end. Any other error means that the CLI never ran or cannot be ended.
  if (end.error && !(end.error instanceof WireError)) return end.error;
  // A CLI that was terminated because it lingered did not exit badly on its own.
  const exitedBadly = cause === undefined && (end.signal !== null || (end.exitCode ?? 0) !== 0);
  if (facts.unanswered === 0 && facts.lastResult) {
    return exitedBadly ? errorOfLastResult(facts.lastResult, end) : undefined;
  }
  if (exitedBadly) return new ProcessExitError(describeExit(facts, end), exitFacts(facts, end));
  const [ignored] = facts.ignored;
  if (facts.unanswered === 0 && facts.phase !== 'handshake')
    return ignored === undefined ? undefined : new MessageIgnoredError(ignored);
  // A CLI that exits before it has answered the handshake did not do its work, whatever its exit code.
  if (facts.phase === 'handshake')
    return new ProcessExitError(describeExit(facts, end), exitFacts(facts, end));
  return new IncompleteRunError(
    `The CLI ended without an answer to ${facts.unanswered === 1 ? 'the message' : `${facts.unanswered} messages`} it was sent.${stderrNote(end)}`,
    { ...exitFacts(facts, end), retryable: true },
  );
}

/** The error for messages that still waited for a CLI when it exited on its own without an error. */
export function describeLeaving(end: TransportEnd | undefined): IncompleteRunError {
  const message = 'The CLI exited before it was given a message that waited for it.';
  if (!end) return new IncompleteRunError(message, { retryable: true });
  return new IncompleteRunError(`${message}${stderrNote(end)}`, {
    ...exitFacts({ phase: 'running' }, end),
    retryable: true,
  });
}

/**
 * The error for a bad exit after the last result. A CLI whose last result was an error exits with code 1, and callers
 * who only look for a thrown error must get one. An interrupted turn gives no error, because a caller interrupted it.
 * After a good result, a bad exit means nothing.
 */
function errorOfLastResult(result: SDKResultMessage, end: TransportEnd): ResultError | undefined {
  const outcome = outcomeOf(result);
  if (!result.is_error || outcome.kind === 'interrupted') return undefined;
  return new ResultError(`The CLI returned an error result: ${outcome.text || outcome.reason}`, result, {
    retryable: outcome.retryable,
    stderrTail: end.stderrTail,
    ...(end.exitCode === null ? {} : { exitCode: end.exitCode }),
  });
}

/** Adds the CLI's stderr to a handshake error. Stderr is the best hint at the cause, and is complete only after the end. */
function withStderr(error: unknown, { stderrTail }: TransportEnd): unknown {
  if (!(error instanceof HandshakeError) || stderrTail.trim() === '') return error;
  const { code, phase, retryable, cause } = error;
  const message = `${error.message} It wrote to stderr: ${stderrTail.trim()}`;
  return new HandshakeError(code, message, { phase, retryable, cause, stderrTail });
}

function describeExit(facts: EndFacts, end: TransportEnd): string {
  const how = end.signal === null ? `exited with code ${end.exitCode}` : `was ended by ${end.signal}`;
  const when =
    facts.phase === 'handshake' ? ' before it answered the handshake' : ' before its work was done';
  const why = end.error ? ` ${end.error.message}.` : '';
  return `The Claude CLI ${how}${when}.${why}${stderrNote(end)}`;
}

function stderrNote(end: TransportEnd): string {
  const tail = end.stderrTail.trim();
  return tail ? ` It wrote to stderr: ${tail}` : '';
}

function exitFacts(facts: Pick<EndFacts, 'phase'>, end: TransportEnd): ErrorFacts {
  return withoutUndefined({
    phase: facts.phase,
    stderrTail: end.stderrTail,
    // A CLI that was killed from outside may succeed on a second try. A CLI that exited badly on its own rarely does.
    retryable: end.signal !== null,
    cause: end.error,
    exitCode: end.exitCode ?? undefined,
    signal: end.signal ?? undefined,
  });
}

/** The error for everything that still waits when someone asks for the end. */
export function errorForWaiters(cause: EndCause): Error {
  if (cause.kind === 'refused') return cause.error;
  if (cause.kind === 'failed' && cause.error instanceof Error) return cause.error;
  return new SessionClosedError(undefined, cause.kind === 'aborted' ? { cause: cause.reason } : {});
}

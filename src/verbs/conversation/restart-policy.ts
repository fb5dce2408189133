// When a session whose CLI ended is started again, how long it waits before, and which messages it sends
// again. What is started, and how, is the session's business.
import {
  AbortError,
  ExecutableNotFoundError,
  InvalidOptionsError,
  ProcessExitError,
  ResultError,
  SessionNotFoundError,
  UnsupportedOptionError,
} from '../../errors.js';
import type { RestartedEvent } from './conversation-event.js';

/** What becomes of a turn that was under way when the CLI ended. */
export type Resend =
  /** It fails with a TurnLostError. */
  | 'never'
  /** Sent again where the model had not asked for a tool, so that nothing can be done twice. */
  | 'untouched'
  /** Sent again wherever there was no result: tools of that turn may run a second time. */
  | 'unanswered';

/** How a session goes on after its CLI crashed, stalled or was killed. */
export interface RestartPolicy {
  /** Restarts in a row, without a turn that was answered in between. Default 3. */
  maxRestarts?: number;
  /** Milliseconds before the first restart; doubled for each further one in a row, up to 30 s. Default 250. */
  backoffMs?: number;
  /** Default `never`. A message whose turn had not begun is always sent again. */
  resend?: Resend;
  /** What to do when the CLI does not know the conversation any more although turns were answered: end with a SessionNotFoundError, or begin a new one under the same id. Default `fail`. */
  whenLost?: 'fail' | 'startAnew';
  /** Told of each restart, once the CLI is ready again. */
  onRestart?: (event: RestartedEvent) => void;
}

const DEFAULT_MAX_RESTARTS = 3;
const DEFAULT_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
const RESENDS: readonly unknown[] = ['never', 'untouched', 'unanswered'];

/** The option as given, checked and filled in; undefined where restarting was not asked for. */
export function readRestartPolicy(given: boolean | RestartPolicy | undefined): RestartPolicy | undefined {
  if (given === undefined || given === false) return undefined;
  const policy = given === true ? {} : given;
  const { maxRestarts = DEFAULT_MAX_RESTARTS, backoffMs = DEFAULT_BACKOFF_MS, resend = 'never' } = policy;
  if (!(maxRestarts >= 0) || !(backoffMs >= 0) || !RESENDS.includes(resend)) {
    throw new InvalidOptionsError(
      ['restart'],
      'The option "restart" takes maxRestarts and backoffMs, numbers from 0, and resend, one of ' +
        `"never", "untouched", "unanswered"; it has ${JSON.stringify({ maxRestarts, backoffMs, resend })}`,
    );
  }
  return { ...policy, maxRestarts, backoffMs, resend };
}

/** Milliseconds to wait before the given restart in a row, from 1; undefined when there is none. */
export function delayBefore(attempt: number, policy: RestartPolicy): number | undefined {
  const { maxRestarts = DEFAULT_MAX_RESTARTS, backoffMs = DEFAULT_BACKOFF_MS } = policy;
  if (attempt > maxRestarts) return undefined;
  return Math.min(backoffMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
}

/** Whether the same start can go better another time. */
export function canRestartAfter(error: unknown): boolean {
  return !(
    error instanceof AbortError ||
    error instanceof InvalidOptionsError ||
    error instanceof UnsupportedOptionError ||
    error instanceof ExecutableNotFoundError
  );
}

/** Whether the CLI said that it does not have the conversation it was to resume. */
export function saysNoConversation(error: unknown): boolean {
  if (error instanceof SessionNotFoundError) return true;
  return error instanceof ResultError && error.message.includes('No conversation found');
}

/** Whether the CLI refused to begin a conversation under an id that it holds to be used. */
export function saysIdInUse(error: unknown): boolean {
  return error instanceof ProcessExitError && error.stderrTail?.includes('already in use') === true;
}

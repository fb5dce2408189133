// Decides whether and when a CLI that ended is started again. `conversation-cli` starts it, and `turn-queue` applies `Resend`.
import {
  AbortError,
  ExecutableNotFoundError,
  InvalidOptionsError,
  RemoteError,
  UnsupportedOptionError,
} from '../../errors.js';
import { isFatal } from '../../record/history/store/call-store.js';
import { pauseBefore } from '../../util/back-off.js';
import type { RestartedEvent } from './conversation-event.js';

/** What happens to a turn that was under way when the CLI ended. */
export type Resend =
  /** It fails with a TurnLostError. */
  | 'never'
  /** Its message is sent again if the model had not asked for a tool, so that nothing can be done twice. */
  | 'untouched'
  /** Its message is sent again if there was no result. Tools of that turn may run a second time. */
  | 'unanswered'
  /**
   * The model goes on where it was, and is told which calls may or may not have had effects. The message is sent again only
   * if nothing of the turn was saved and no tool was called.
   */
  | 'continue';

/** How a session continues after its CLI crashed, stalled or was killed. */
export interface RestartPolicy {
  /** How many restarts may follow each other without an answered turn in between. Default 3. */
  maxRestarts?: number | undefined;
  /** Milliseconds before the first restart; doubled for each further one in a row, up to 30 s. Default 250. */
  backoffMs?: number | undefined;
  /** What happens to a turn that was under way. Default `never`. A message whose turn had not begun is always sent again. */
  resend?: Resend | undefined;
  /**
   * What to do when the CLI no longer has the conversation although turns were answered: end with a SessionNotFoundError, or
   * begin a new one under the same id. Default `fail`.
   */
  whenLost?: 'fail' | 'startAnew' | undefined;
  /** Called after each restart, once the CLI is ready again. */
  onRestart?: ((event: RestartedEvent) => void) | undefined;
}

const DEFAULT_MAX_RESTARTS = 3;

const DEFAULT_BACKOFF_MS = 250;

const MAX_BACKOFF_MS = 30_000;

const RESENDS: readonly unknown[] = ['never', 'untouched', 'unanswered', 'continue'];

/** The option `restart`, checked and with defaults; undefined where the caller does not want restarts. */
export function readRestartPolicy(given: boolean | RestartPolicy | undefined): RestartPolicy | undefined {
  if (given === undefined || given === false) return undefined;
  const policy = given === true ? {} : given;
  const { maxRestarts = DEFAULT_MAX_RESTARTS, backoffMs = DEFAULT_BACKOFF_MS, resend = 'never' } = policy;
  if (!(maxRestarts >= 0) || !(backoffMs >= 0) || !RESENDS.includes(resend)) {
    throw new InvalidOptionsError(
      ['restart'],
      'The option "restart" takes maxRestarts and backoffMs, numbers of at least 0, and resend, ' +
        `one of "never", "untouched", "unanswered", "continue"; it was given ${JSON.stringify({ maxRestarts, backoffMs, resend })}`,
    );
  }
  return { ...policy, maxRestarts, backoffMs, resend };
}

/** Milliseconds to wait before the restart with this number, counted from 1. Undefined when there are no more restarts. */
export function delayBefore(attempt: number, policy: RestartPolicy): number | undefined {
  const { maxRestarts = DEFAULT_MAX_RESTARTS, backoffMs = DEFAULT_BACKOFF_MS } = policy;
  if (attempt > maxRestarts) return undefined;
  return pauseBefore(attempt - 1, { firstMs: backoffMs, longestMs: MAX_BACKOFF_MS });
}

/** Whether another start could succeed after this error. */
export function canRestartAfter(error: unknown): boolean {
  return !(
    error instanceof AbortError ||
    error instanceof InvalidOptionsError ||
    error instanceof UnsupportedOptionError ||
    error instanceof ExecutableNotFoundError ||
    (error instanceof RemoteError && !error.retryable) ||
    isFatal(error)
  );
}

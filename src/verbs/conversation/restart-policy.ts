// Whether and when a CLI that ended is started again, which messages are sent again, and the record of its crashes.
// The start itself is made by the conversation's CLI.
import {
  AbortError,
  ExecutableNotFoundError,
  InvalidOptionsError,
  UnsupportedOptionError,
} from '../../errors.js';
import type { CrashedEvent, RestartedEvent } from './conversation-event.js';

/** What happens to a turn that was under way when the CLI ended. */
export type Resend =
  /** It fails with a TurnLostError. */
  | 'never'
  /** Sent again where the model had not asked for a tool, so that nothing can be done twice. */
  | 'untouched'
  /** Sent again wherever there was no result: tools of that turn may run a second time. */
  | 'unanswered';

/** How a session continues after its CLI crashed, stalled or was killed. */
export interface RestartPolicy {
  /** Restarts in a row, without a turn that was answered in between. Default 3. */
  maxRestarts?: number;
  /** Milliseconds before the first restart; doubled for each further one in a row, up to 30 s. Default 250. */
  backoffMs?: number;
  /** Default `never`. A message whose turn had not begun is always sent again. */
  resend?: Resend;
  /** What to do when the CLI no longer has the conversation although turns were answered: end with a SessionNotFoundError, or begin a new one under the same id. Default `fail`. */
  whenLost?: 'fail' | 'startAnew';
  /** Called after each restart, once the CLI is ready again. */
  onRestart?: (event: RestartedEvent) => void;
}

const DEFAULT_MAX_RESTARTS = 3;
const DEFAULT_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
const RESENDS: readonly unknown[] = ['never', 'untouched', 'unanswered'];

/** The option, checked and with defaults; undefined where restarting was not asked for. */
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

/** Milliseconds to wait before the given restart in a row, from 1; undefined when there are no more. */
function delayBefore(attempt: number, policy: RestartPolicy): number | undefined {
  const { maxRestarts = DEFAULT_MAX_RESTARTS, backoffMs = DEFAULT_BACKOFF_MS } = policy;
  if (attempt > maxRestarts) return undefined;
  return Math.min(backoffMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
}

/** Whether the same start could succeed another time. */
function canRestartAfter(error: unknown): boolean {
  return !(
    error instanceof AbortError ||
    error instanceof InvalidOptionsError ||
    error instanceof UnsupportedOptionError ||
    error instanceof ExecutableNotFoundError
  );
}

/** What is known of a CLI that is ready. */
type ReadyFacts = Pick<RestartedEvent, 'conversation' | 'sessionId' | 'pid'>;

/** The crashes of one conversation's CLI. */
export class CrashRecord {
  readonly #policy: RestartPolicy | undefined;
  /** Crashes without an answered turn in between. */
  #inARow = 0;
  #last: CrashedEvent | undefined;
  /** Of all crashes since the CLI was last ready: they belong to the same restart. */
  #lost: string[] = [];
  #resent: string[] = [];

  constructor(policy: RestartPolicy | undefined) {
    this.#policy = policy;
  }

  /** Milliseconds until the restart that follows this end of the CLI; undefined when none does. */
  delayAfter(error: unknown): number | undefined {
    if (this.#policy === undefined || !canRestartAfter(error)) return undefined;
    return delayBefore(this.#inARow + 1, this.#policy);
  }

  note(facts: Omit<CrashedEvent, 'type' | 'attempt'>): CrashedEvent {
    this.#inARow += 1;
    this.#lost.push(...facts.lost);
    this.#resent.push(...facts.resent);
    this.#last = { type: 'crashed', attempt: this.#inARow, ...facts };
    return this.#last;
  }

  /** The CLI is ready: the event that says so, with what it recovered from if it had crashed. */
  recover(facts: ReadyFacts): RestartedEvent | ({ type: 'ready' } & ReadyFacts) {
    const last = this.#last;
    if (!last) return { type: 'ready', ...facts };
    const [lost, resent] = [this.#lost, this.#resent];
    this.#last = undefined;
    this.#lost = [];
    this.#resent = [];
    return { type: 'restarted', error: last.error, attempt: last.attempt, lost, resent, ...facts };
  }

  /** A turn was answered. */
  reset(): void {
    this.#inARow = 0;
  }
}

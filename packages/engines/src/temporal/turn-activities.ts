// The activity that makes one attempt at a turn. Temporal makes the next attempt after a failure; the workflow makes it after an
// answer. Heartbeats say that the process lives, and bring the cancellation.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkShape, milliseconds } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { prepareAttempts, type EngineOptions } from '../turn/engine-agents.js';
import { checkTurn, type EngineTurn } from '../turn/engine-turn.js';
import { loadActivityLibrary, type ActivityContext, type ActivityLibrary } from './activity-library.js';
import { readCancellation, type CancellationCause } from './attempt-cancellation.js';
import type { TurnActivities, TurnActivityInput } from './turn-activity.js';
import { countBytes, MOST_END_BYTES } from './workflow/message-limits.js';
import { TURN_FAILURES } from './workflow/message-names.js';
import { isTurnAnswer } from './workflow/turn-answers.js';

/** What the activities of a worker are made with. */
export interface TurnActivitiesOptions extends EngineOptions {
  /**
   * Milliseconds between heartbeats. Default: a third of the heartbeat timeout, and at most 5,000. Temporal's SDK holds back what comes
   * faster than its own throttle allows.
   */
  heartbeatMs?: number | undefined;
}

const OF = 'turnActivities()';
const TAKER = {
  of: OF,
  example: 'turnActivities({ agents: { support: {} }, ledger })',
  known: ['agents', 'ledger', 'suspendAfterMs', 'heartbeatMs', 'onMessage'],
};
const MOST_HEARTBEAT_MS = 5000;
const BEATS_PER_TIMEOUT = 3;
/** How soon Temporal may try again where nothing has gone wrong. */
const SOON_MS = 1000;

/**
 * Makes the activities of a worker: one that makes an attempt at a turn, for `runTurn` and `conversationWorkflow` of
 * `inboard/temporal/workflow`. An attempt ends with `ended`, `waiting` or `busy`. It fails, so that Temporal tries again, when a newer
 * attempt has the conversation, when the worker shuts down, and with the errors of the agent, the CLI and the ledger, also if this
 * worker does not know the agent (`InboardAgentUnusable`). A turn or an answer that is wrong fails for good.
 * @example
 * ```ts
 * activities: turnActivities({ agents: { support }, ledger }),
 * ```
 * @experimental Its names may change in any release.
 */
export function turnActivities(options: TurnActivitiesOptions): TurnActivities;
export function turnActivities(
  options: TurnActivitiesOptions,
  ...others: readonly unknown[]
): TurnActivities {
  checkOptionsObject(options, others, TAKER);
  const attempt = prepareAttempts(OF, options);
  const { heartbeatMs, onMessage } = options;
  checkShape('heartbeatMs', heartbeatMs, milliseconds);
  return {
    inboardAttempt: async (input) => {
      const library = await loadActivityLibrary();
      checkInput(library, input);
      const { turn, answers, stop } = input;
      const context = library.Context.current();
      const cancelling = watchCancellation(context, stop === true);
      let messages = 0;
      const endHeartbeats = beat(context, heartbeatMs, () => ({ messages }));
      try {
        const end = await attempt(turn, {
          answers,
          ...cancelling.signals,
          onMessage: async (message) => {
            messages += 1;
            await onMessage?.(message, turn);
          },
        });
        if (end.state === 'lost') throw lostFailure(library, turn);
        const size = countBytes(end);
        if (size > MOST_END_BYTES) throw sizeFailure(library, turn, `${end.state} with ${size} bytes`);
        return end;
      } catch (error) {
        throw explainFailure(error, library, cancelling.cause);
      } finally {
        endHeartbeats();
        cancelling.end();
      }
    },
  };
}

/** A cancellation that the workflow requested stops the turn. Any other one leaves it for the next attempt. */
function watchCancellation(
  context: ActivityContext,
  isStopped: boolean,
): {
  signals: { signal: AbortSignal; interrupt: AbortSignal };
  readonly cause?: CancellationCause;
  end(): void;
} {
  const leaving = new AbortController();
  const stopping = new AbortController();
  if (isStopped) stopping.abort();
  let cause: CancellationCause | undefined;
  const end = onAbort(context.cancellationSignal, () => {
    cause = readCancellation(context);
    if (cause === 'requested') stopping.abort();
    else leaving.abort(context.cancellationSignal.reason);
  });
  return {
    signals: { signal: leaving.signal, interrupt: stopping.signal },
    get cause() {
      return cause;
    },
    end,
  };
}

/** Says from time to time that this process lives. Returns a function that ends that. */
function beat(context: ActivityContext, ownMs: number | undefined, describe: () => unknown): () => void {
  const { heartbeatTimeoutMs } = context.info;
  const everyMs = ownMs ?? Math.min(MOST_HEARTBEAT_MS, (heartbeatTimeoutMs || Infinity) / BEATS_PER_TIMEOUT);
  context.heartbeat(describe());
  const timer = clock.setInterval(() => context.heartbeat(describe()), everyMs);
  return () => clock.clearInterval(timer);
}

function lostFailure(library: ActivityLibrary, { conversation }: EngineTurn): Error {
  return library.ApplicationFailure.create({
    message: `A newer attempt has taken the conversation "${conversation}". If the turn is not over then, the next attempt goes on.`,
    type: TURN_FAILURES.attemptLost,
    category: 'BENIGN',
  });
}

/** Temporal would refuse such a result, or end the workflow that hands it to a new run. */
function sizeFailure(library: ActivityLibrary, { id }: EngineTurn, what: string): Error {
  return library.ApplicationFailure.create({
    message: `The attempt at the turn "${id}" returned "${what}" of JSON, and Temporal's history takes ${MOST_END_BYTES} well. Everything is in the transcript. Let tools write large results where others can read them`,
    type: TURN_FAILURES.attemptTooLarge,
    nonRetryable: true,
  });
}

/** No deployment mends what the history holds, so a fault of the turn itself fails for good. */
function checkInput(library: ActivityLibrary, { turn, answers }: TurnActivityInput): void {
  try {
    checkTurn(OF, turn);
    if (!Array.isArray(answers) || !answers.every(isTurnAnswer))
      throw new InvalidOptionsError(['answers'], `${OF}: "answers" must be a list of { id, result, by? }`);
  } catch (error) {
    throw invalidFailure(library, error, { type: TURN_FAILURES.invalidTurn, nonRetryable: true });
  }
}

function invalidFailure(
  library: ActivityLibrary,
  error: unknown,
  facts: { type: string; nonRetryable?: true },
): unknown {
  if (!(error instanceof InvalidOptionsError)) return error;
  const { message, options } = error;
  return library.ApplicationFailure.create({ message, ...facts, details: [{ options }], cause: error });
}

/** The error as Temporal's retry policy must see it. */
function explainFailure(error: unknown, library: ActivityLibrary, cause?: CancellationCause): unknown {
  if (error instanceof InvalidOptionsError)
    // A worker of another version, or the next deployment, may have the agent.
    return invalidFailure(library, error, { type: TURN_FAILURES.agentUnusable });
  // A turn that was to be stopped and could not be told so is stopped by the next attempt.
  if (cause === undefined || cause === 'requested') return error;
  // A cancellation that nobody requested must not be reported as one: Temporal would refuse it, and wait for the heartbeat timeout.
  return library.ApplicationFailure.create({
    message: `The attempt was ended: ${REASONS[cause]}`,
    type: TURN_FAILURES.attemptEnded,
    details: [{ cause }],
    nextRetryDelay: SOON_MS,
    ...(MEANT.has(cause) && { category: 'BENIGN' as const }),
  });
}

/** Somebody wanted these: a deployment, or an operator. */
const MEANT: ReadonlySet<CancellationCause> = new Set(['worker shutdown', 'paused', 'reset']);

const REASONS: Readonly<Record<Exclude<CancellationCause, 'requested'>, string>> = {
  'worker shutdown': 'the worker shuts down, and another one goes on with the turn',
  timeout: 'Temporal has given it up because of a timeout',
  paused: 'the activity was paused',
  reset: 'the activity was reset',
  gone: 'Temporal does not know it any more, because its workflow has ended or because of a timeout',
  unknown: 'Temporal cancelled it and gave no reason',
};

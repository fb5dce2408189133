// Makes attempts at a turn until it has ended, and waits in between: for people, for pending calls, and for the conversation.
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { EngineTurn } from '../../turn/engine-turn.js';
import type { TurnActivities } from '../turn-activity.js';
import { LookPause } from './look-pause.js';
import type { TurnInWorkflow } from './open-turn.js';
import { mergeRetry } from './retry-policy.js';
import type { ActivitySettings, WorkflowLibrary } from './workflow-library.js';

/** How attempts are made. */
export interface TurnActivitySettings {
  /** Where the workers are that have the agents. Default: the task queue of the workflow. */
  taskQueue?: ActivitySettings['taskQueue'];
  /** The longest time for one attempt. Default '12 hours'. */
  startToCloseTimeout?: ActivitySettings['startToCloseTimeout'];
  /** The longest time for all attempts until the turn ends or waits, with the pauses between them. Default: none. */
  scheduleToCloseTimeout?: ActivitySettings['scheduleToCloseTimeout'];
  /** How soon Temporal notices that a worker died. Default '30 seconds'. */
  heartbeatTimeout?: ActivitySettings['heartbeatTimeout'];
  /** When Temporal tries again after a failure. What is not given: for ever, after 1 second at first, and after 1 minute at most. */
  retry?: ActivitySettings['retry'];
  /** Which attempts the workers of a queue make first. Default: the priority of the workflow. */
  priority?: ActivitySettings['priority'];
  /**
   * Milliseconds after which an attempt looks whether pending calls were completed without a wake. Default 60,000. The time doubles, up
   * to an hour, while neither a wake nor an answer comes.
   */
  lookAfterMs?: number | undefined;
}

export interface TurnDrive {
  readonly library: WorkflowLibrary;
  /** Read anew for each attempt. */
  readonly readSettings: () => TurnActivitySettings | undefined;
  readonly turn: EngineTurn;
  readonly open: TurnInWorkflow;
  /** Whether the turn should be left between two attempts, because another run of the workflow goes on with it. */
  readonly mayLeave?: () => boolean;
}

const MOST_SUMMARY_CHARACTERS = 100;
const LEAST_BUSY_MS = 500;
const MOST_BUSY_MS = 60_000;

/**
 * Returns the outcome of the turn, with what all its attempts cost, or 'left'. Rejects if Temporal stops trying. If the workflow is
 * cancelled, the turn is stopped, and the outcome says so.
 */
export async function driveTurn(drive: TurnDrive): Promise<AttemptOutcome | 'left'> {
  const { library, open, mayLeave = () => false } = drive;
  const attempt = prepareAttempt(drive);
  const look = new LookPause();
  for (;;) {
    const end = await attempt();
    if (end.state === 'cancelled') continue;
    open.note(end);
    if (end.state === 'ended') return { ...end.outcome, turnCostUsd: open.costUsd };
    await untilReady(drive, end, look);
    // A run that was cancelled has no next one.
    if (!open.isStopped && !isCancelled(library) && mayLeave()) return 'left';
  }
}

/** Whether the workflow, or the part of it that is at work, was cancelled. */
export function isCancelled({ CancellationScope }: WorkflowLibrary): boolean {
  return CancellationScope.current().consideredCancelled;
}

/** The end of an attempt. `cancelled` is one that Temporal ended before it returned anything. */
type DrivenEnd = AttemptEnd | { state: 'cancelled' };

function prepareActivities({ library, readSettings, turn }: TurnDrive): TurnActivities {
  const { lookAfterMs: _, ...own } = readSettings() ?? {};
  return library.proxyActivities({
    ...own,
    startToCloseTimeout: own.startToCloseTimeout ?? '12 hours',
    heartbeatTimeout: own.heartbeatTimeout ?? '30 seconds',
    retry: mergeRetry(own.retry),
    // The tool must have ended before the workflow goes on.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    // A server takes 400 bytes.
    summary: `${turn.conversation}/${turn.id}`.slice(0, MOST_SUMMARY_CHARACTERS),
  }) as TurnActivities;
}

function prepareAttempt(drive: TurnDrive): () => Promise<DrivenEnd> {
  const { library, turn, open } = drive;
  return async () => {
    open.beginAttempt();
    const activities = prepareActivities(drive);
    // The transcript is told that the turn was stopped, even if the workflow is being cancelled. Answers do not matter any more, and must
    // not be what makes this attempt fail.
    if (open.isStopped)
      return await library.CancellationScope.nonCancellable(() =>
        activities.inboardAttempt({ turn, answers: [], stop: true }),
      );
    const { answers } = open;
    const scope = new library.CancellationScope();
    open.onStop = () => scope.cancel();
    try {
      return await scope.run(() => activities.inboardAttempt({ turn, answers }));
    } catch (error) {
      // Temporal does not retry an attempt that fails after it was cancelled.
      const isEnded = library.isCancellation(error) || scope.consideredCancelled;
      if (!isEnded || !(error instanceof library.TemporalFailure)) throw error;
      open.stop();
      return { state: 'cancelled' };
    } finally {
      open.onStop = undefined;
    }
  };
}

/** Waits until the next attempt has something to do. */
async function untilReady(drive: TurnDrive, end: AttemptEnd, look: LookPause): Promise<void> {
  const { library, open } = drive;
  try {
    if (open.isStopped) await library.CancellationScope.nonCancellable(() => rest(drive, end, look));
    else await rest(drive, end, look);
  } catch (error) {
    if (!library.isCancellation(error)) throw error;
    open.stop();
  }
}

async function rest(drive: TurnDrive, end: AttemptEnd, look: LookPause): Promise<void> {
  const { library, open, mayLeave } = drive;
  if (end.state === 'busy') {
    const restMs = Math.min(Math.max(end.until - Date.now(), LEAST_BUSY_MS), MOST_BUSY_MS);
    if (open.isStopped) await library.sleep(restMs);
    else await library.condition(() => open.isStopped, restMs);
    return;
  }
  const mayGoOn = (): boolean => open.isReady || mayLeave?.() === true;
  // People answer here, so only a pending call can go on without a message.
  if (open.pending.length > 0)
    await library.condition(mayGoOn, look.next(open.pending, drive.readSettings()?.lookAfterMs));
  else await library.condition(mayGoOn);
  if (open.isReady) look.reset();
}

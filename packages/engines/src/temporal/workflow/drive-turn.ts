// Makes attempts at a turn until it has ended, and waits in between: for people, for pending calls, and for the conversation.
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { EngineTurn } from '../../turn/engine-turn.js';
import type { TurnActivities } from '../turn-activity.js';
import type { TurnInWorkflow } from './open-turn.js';
import type { ActivitySettings, WorkflowLibrary } from './workflow-library.js';

/** How attempts are made. */
export interface TurnActivitySettings {
  /** Where the workers are that have the agents. Default: the task queue of the workflow. */
  taskQueue?: ActivitySettings['taskQueue'];
  /** The longest time for one attempt. Default '12 hours'. */
  startToCloseTimeout?: ActivitySettings['startToCloseTimeout'];
  /** How soon Temporal notices that a worker died. Default '30 seconds'. */
  heartbeatTimeout?: ActivitySettings['heartbeatTimeout'];
  /** When Temporal tries again after a failure. Default: for ever, after 1 second at first, and after 1 minute at most. */
  retry?: ActivitySettings['retry'];
  /** Milliseconds after which an attempt looks whether pending calls were completed without a wake. Default 60,000. */
  lookAfterMs?: number | undefined;
}

export interface TurnDrive {
  readonly library: WorkflowLibrary;
  readonly settings: TurnActivitySettings | undefined;
  readonly turn: EngineTurn;
  readonly open: TurnInWorkflow;
  /** Whether the turn should be left between two attempts, because another run of the workflow goes on with it. */
  readonly mayLeave?: () => boolean;
}

const LOOK_AFTER_MS = 60_000;
const LEAST_BUSY_MS = 500;
const MOST_BUSY_MS = 60_000;

/**
 * Returns the outcome of the turn, with what all its attempts cost, or 'left'. Rejects if Temporal stops trying, and with a
 * CancelledFailure if the workflow was cancelled. The turn has been stopped by then.
 */
export async function driveTurn(drive: TurnDrive): Promise<AttemptOutcome | 'left'> {
  const { library, open, mayLeave = () => false } = drive;
  const attempt = prepareAttempt(drive);
  for (;;) {
    const end = await attempt();
    if (end.state === 'cancelled') continue;
    open.note(end);
    if (end.state === 'ended') {
      if (library.CancellationScope.current().consideredCancelled)
        throw new library.CancelledFailure('The workflow was cancelled, and its turn was stopped');
      return { ...end.outcome, costUsd: open.costUsd };
    }
    await untilReady(drive, end);
    // A run that was cancelled has no next one.
    if (!open.isStopped && mayLeave()) return 'left';
  }
}

/** The end of an attempt. `cancelled` is one that Temporal ended before it returned anything. */
type DrivenEnd = AttemptEnd | { state: 'cancelled' };

function prepareAttempt({ library, settings = {}, turn, open }: TurnDrive): () => Promise<DrivenEnd> {
  const { lookAfterMs: _, ...own } = settings;
  const activities = library.proxyActivities({
    startToCloseTimeout: '12 hours',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    ...own,
    // The tool must have ended before the workflow goes on.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: `${turn.conversation}/${turn.id}`,
  }) as TurnActivities;
  return async () => {
    open.beginAttempt();
    const { answers } = open;
    // The transcript is told that the turn was stopped, even if the workflow is being cancelled.
    if (open.isStopped)
      return await library.CancellationScope.nonCancellable(() =>
        activities.inboardAttempt({ turn, answers: [], stop: true }),
      );
    const scope = new library.CancellationScope();
    open.onStop = () => scope.cancel();
    try {
      return await scope.run(() => activities.inboardAttempt({ turn, answers }));
    } catch (error) {
      // Temporal does not retry an attempt that fails after it was cancelled.
      if (!library.isCancellation(error) && !scope.consideredCancelled) throw error;
      open.stop();
      return { state: 'cancelled' };
    } finally {
      open.onStop = undefined;
    }
  };
}

/** Waits until the next attempt has something to do. */
async function untilReady(drive: TurnDrive, end: AttemptEnd): Promise<void> {
  const { library, open } = drive;
  try {
    if (open.isStopped) await library.CancellationScope.nonCancellable(() => rest(drive, end));
    else await rest(drive, end);
  } catch (error) {
    if (!library.isCancellation(error)) throw error;
    open.stop();
  }
}

async function rest({ library, settings, open, mayLeave }: TurnDrive, end: AttemptEnd): Promise<void> {
  if (end.state === 'busy') {
    const restMs = Math.min(Math.max(end.until - Date.now(), LEAST_BUSY_MS), MOST_BUSY_MS);
    if (open.isStopped) await library.sleep(restMs);
    else await library.condition(() => open.isStopped, restMs);
    return;
  }
  const mayGoOn = (): boolean => open.isReady || mayLeave?.() === true;
  // People answer here, so only a pending call can go on without a message.
  if (open.pending.length > 0) await library.condition(mayGoOn, settings?.lookAfterMs ?? LOOK_AFTER_MS);
  else await library.condition(mayGoOn);
}

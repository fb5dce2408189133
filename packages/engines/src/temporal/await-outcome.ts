// Waits for the outcome of a turn. All who wait for turns of a conversation share one update at a time, in every process: it waits for the
// next turn that ends, whichever that is. So ten who wait for ten turns leave room for answers.
import { TemporalError } from '@inboard/core/errors.js';
import { BackOff, type Pauses } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { sleep } from '@inboard/core/util/timers.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import {
  findFailureOfType,
  isFull,
  isGone,
  isUnanswered,
  type TemporalWorkflowHandle,
} from './client-library.js';
import { readKeptOutcome } from '../turn/stored-outcome.js';
import type { NextEnd, TurnReport } from './workflow/conversation-facts.js';
import { TURN_FAILURES, TURN_MESSAGES } from './workflow/message-names.js';

const PAUSES: Pauses = { firstMs: 200, longestMs: 10_000, between: [0.5, 1] };

/** Returns the outcome of a turn, or rejects with a TemporalError. `openHandle` returns the newest run of the workflow. */
export async function awaitOutcome(
  openHandle: () => TemporalWorkflowHandle,
  id: string,
): Promise<AttemptOutcome> {
  const pause = new BackOff(PAUSES);
  let lastMoment: string | undefined;
  let isGoneOnce = false;
  for (;;) {
    const report = await askReport(openHandle(), id);
    if (report.state !== 'open') return readReport(id, report);
    if (report.moment !== lastMoment) {
      pause.reset();
      isGoneOnce = false;
    }
    // The run is about to leave, or nobody else may wait.
    else await sleep(pause.next());
    lastMoment = report.moment;
    try {
      const end = await awaitEnd(openHandle(), id, report.moment);
      if (end) return readReport(id, end);
    } catch (error) {
      if (isGone(error)) {
        // A new run may have gone on. If none has, the workflow was ended with the turn.
        if (isGoneOnce) throw error;
        isGoneOnce = true;
      } else if (!isFull(error) && !MAY_COME_AGAIN.some((type) => findFailureOfType(error, type)))
        throw error;
    }
  }
}

const MAY_COME_AGAIN = [
  TURN_FAILURES.waitRefused,
  // A server's own, of an update whose run has ended before it.
  'AcceptedUpdateCompletedWorkflow',
];

/** Follows the turns that end from a moment on, until it is this one. Returns nothing if one has to ask again. */
async function awaitEnd(
  handle: TemporalWorkflowHandle,
  id: string,
  since: string,
): Promise<TurnReport | undefined> {
  for (let moment: string | undefined = since; moment !== undefined;) {
    const next = (await handle.executeUpdate(TURN_MESSAGES.nextEnd, {
      args: [moment],
      updateId: `inboard-end/${moment}`,
    })) as NextEnd;
    if (next.id === id) return next.report;
    ({ moment } = next);
  }
  return undefined;
}

/** A query fails where an update would wait: while no worker is there, or while the workflow's task fails. */
async function askReport(handle: TemporalWorkflowHandle, id: string): Promise<TurnReport> {
  const pause = new BackOff(PAUSES);
  for (;;) {
    const askedAt = clock.performance.now();
    try {
      return (await handle.query(TURN_MESSAGES.outcome, id)) as TurnReport;
    } catch (error) {
      if (!isUnanswered(error, clock.performance.now() - askedAt)) throw error;
    }
    await sleep(pause.next());
  }
}

function readReport(id: string, report: TurnReport): AttemptOutcome {
  switch (report.state) {
    case 'ended':
      return readKeptOutcome(report.outcome);
    case 'failed':
      throw new TemporalError('TEMPORAL_TURN_FAILED', `The turn "${id}" has failed: ${report.error}`, {
        ...(report.type !== undefined && { failureType: report.type }),
      });
    case 'forgotten':
      throw new TemporalError(
        'TEMPORAL_TURN_FORGOTTEN',
        `The turn "${id}" ended long ago, and its outcome is not kept any more. It is in the transcript`,
      );
    default:
      throw new TemporalError(
        'TEMPORAL_TURN_UNKNOWN',
        `No turn "${id}" was sent to this workflow, or it ended before more than 500 others`,
      );
  }
}

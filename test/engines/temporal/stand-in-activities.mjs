// The activities of one run in the stand-in for a Temporal server: attempts, heartbeats, timeouts, retries and cancellation.
import { EVENT, fail, now, toDuration, toMs, toToken } from './stand-in-parts.mjs';

const DEFAULTS = { initialIntervalMs: 1000, backoff: 2 };

export class StandInActivities {
  #run;
  #clock;
  #byScheduled = new Map();

  constructor(run, clock) {
    this.#run = run;
    this.#clock = clock;
  }

  schedule(scheduledEventId, attributes) {
    const activity = {
      scheduledEventId,
      attributes,
      attempt: 0,
      state: 'waiting',
      isCancelRequested: false,
      scheduledAt: now(),
    };
    this.#byScheduled.set(scheduledEventId, activity);
    this.#offer(activity);
  }

  requestCancel(scheduledEventId) {
    const activity = this.#byScheduled.get(scheduledEventId);
    if (!activity) return;
    activity.isCancelRequested = true;
    if (activity.state === 'started') return;
    this.#end(activity, EVENT.EVENT_TYPE_ACTIVITY_TASK_CANCELED, 'activityTaskCanceledEventAttributes', {});
  }

  beat(which, details) {
    const activity = this.#find(which);
    activity.details = details;
    this.#watch(activity);
    return { cancelRequested: activity.isCancelRequested };
  }

  complete(which, result) {
    const activity = this.#find(which);
    this.#end(activity, EVENT.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, 'activityTaskCompletedEventAttributes', {
      result,
    });
  }

  cancelled(which, details) {
    const activity = this.#find(which);
    if (!activity.isCancelRequested) throw fail('INVALID_ARGUMENT', 'nobody asked for a cancellation');
    this.#end(activity, EVENT.EVENT_TYPE_ACTIVITY_TASK_CANCELED, 'activityTaskCanceledEventAttributes', {
      details,
    });
  }

  fail(which, failure) {
    this.#failAttempt(this.#find(which), failure);
  }

  /** Those that have not ended, as a description of the run shows them. */
  describe() {
    return [...this.#byScheduled.values()].map(({ attributes, attempt, lastFailure }) => ({
      activityId: attributes.activityId,
      activityType: attributes.activityType,
      attempt,
      lastFailure,
    }));
  }

  /** Nothing of a closed run goes on. */
  clear() {
    for (const activity of this.#byScheduled.values()) this.#stopTimers(activity);
    this.#byScheduled.clear();
  }

  #find({ scheduledEventId, attempt }) {
    const activity = this.#byScheduled.get(scheduledEventId);
    if (!activity || activity.attempt !== attempt || activity.state !== 'started')
      throw fail('NOT_FOUND', 'this attempt is not the one that runs');
    return activity;
  }

  #offer(activity) {
    activity.state = 'waiting';
    activity.attempt += 1;
    const { attempt } = activity;
    const isWanted = () =>
      this.#byScheduled.get(activity.scheduledEventId) === activity &&
      activity.attempt === attempt &&
      activity.state === 'waiting';
    this.#run.state.offer('activity', activity.attributes.taskQueue.name, () =>
      isWanted() ? this.#take(activity) : undefined,
    );
  }

  #take(activity) {
    const { attributes, scheduledEventId, attempt } = activity;
    activity.state = 'started';
    this.#watch(activity);
    const closeMs = toMs(attributes.startToCloseTimeout);
    if (closeMs > 0)
      activity.closeTimer = this.#clock.after(closeMs, () => this.#timeOut(activity, 'START_TO_CLOSE', 1));
    return {
      taskToken: toToken({ runId: this.#run.runId, scheduledEventId, attempt }),
      workflowNamespace: 'default',
      workflowType: { name: this.#run.workflowType },
      workflowExecution: { workflowId: this.#run.workflowId, runId: this.#run.runId },
      ...attributes,
      scheduleToCloseTimeout: attributes.scheduleToCloseTimeout ?? toDuration(0),
      heartbeatDetails: activity.details,
      scheduledTime: activity.scheduledAt,
      currentAttemptScheduledTime: now(),
      startedTime: now(),
      attempt,
    };
  }

  #watch(activity) {
    this.#clock.stop(activity.beatTimer);
    const limitMs = toMs(activity.attributes.heartbeatTimeout);
    if (limitMs > 0)
      activity.beatTimer = this.#clock.after(limitMs, () => this.#timeOut(activity, 'HEARTBEAT', 4));
  }

  #timeOut(activity, what, timeoutType) {
    this.#failAttempt(activity, {
      message: `timeout: ${what}`,
      source: 'Server',
      timeoutFailureInfo: { timeoutType },
    });
  }

  #failAttempt(activity, failure) {
    this.#stopTimers(activity);
    const { retryPolicy } = activity.attributes;
    const most = retryPolicy?.maximumAttempts ?? 0;
    const isLast =
      failure.applicationFailureInfo?.nonRetryable ||
      activity.isCancelRequested ||
      (most > 0 && activity.attempt >= most);
    if (isLast) {
      this.#end(activity, EVENT.EVENT_TYPE_ACTIVITY_TASK_FAILED, 'activityTaskFailedEventAttributes', {
        failure,
        retryState: 1,
      });
      return;
    }
    activity.state = 'resting';
    activity.lastFailure = failure;
    const firstMs = toMs(retryPolicy?.initialInterval) || DEFAULTS.initialIntervalMs;
    const backedOffMs =
      firstMs * (retryPolicy?.backoffCoefficient || DEFAULTS.backoff) ** (activity.attempt - 1);
    const restMs =
      toMs(failure.applicationFailureInfo?.nextRetryDelay) ||
      Math.min(backedOffMs, toMs(retryPolicy?.maximumInterval) || Infinity);
    activity.retryTimer = this.#clock.after(restMs, () => this.#offer(activity));
  }

  #end(activity, type, field, attributes) {
    this.#stopTimers(activity);
    const { scheduledEventId, attempt, lastFailure } = activity;
    this.#byScheduled.delete(scheduledEventId);
    // A server writes the beginning of the last attempt only when it has ended.
    this.#run.arrive((append) => {
      const startedEventId = append(
        EVENT.EVENT_TYPE_ACTIVITY_TASK_STARTED,
        'activityTaskStartedEventAttributes',
        { scheduledEventId, requestId: `${attempt}`, attempt, lastFailure },
      );
      append(type, field, { ...attributes, scheduledEventId, startedEventId });
    });
  }

  #stopTimers({ beatTimer, closeTimer, retryTimer }) {
    for (const timer of [beatTimer, closeTimer, retryTimer]) this.#clock.stop(timer);
  }
}

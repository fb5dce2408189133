// One run of a workflow in the stand-in for a Temporal server: its history, its workflow tasks, and what commands do.
import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { StandInActivities } from './stand-in-activities.mjs';
import { COMMAND, createDeferred, EVENT, fail, now, toMs, toToken } from './stand-in-parts.mjs';

const TASK_LIMIT_MS = 10_000;
const QUERY_LIMIT_MS = 5000;
/** As a server's default: more at once are refused. */
const MOST_UPDATES = 10;
const updateTypes = proto.temporal.api.update.v1;
const UNHANDLED_COMMAND =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;
const PREFIX = 'type.googleapis.com/temporal.api.update.v1.';

export class StandInRun {
  runId = randomUUID();
  events = [];
  updates = new Map();
  closed = createDeferred();
  isClosed = false;
  #options;
  #timers = new Map();
  #task;
  #arrived = [];
  #isObeying = false;
  /** The query that a worker has. */
  #asked;
  #waitingQueries = [];
  #lastStarted = 0;

  constructor(state, options) {
    this.state = state;
    this.#options = options;
    this.workflowId = options.workflowId;
    this.workflowType = options.workflowType;
    this.activities = new StandInActivities(this, state.clock);
  }

  begin() {
    const { input, header, continuedFrom, firstRunId = this.runId } = this.#options;
    const { memo, searchAttributes, priority, userMetadata } = this.#options;
    const attributes = {
      workflowType: { name: this.workflowType },
      taskQueue: { name: this.#options.taskQueue },
      input,
      header,
      originalExecutionRunId: this.runId,
      firstExecutionRunId: firstRunId,
      continuedExecutionRunId: continuedFrom ?? '',
      workflowTaskTimeout: { seconds: 10 },
      attempt: 1,
      workflowId: this.workflowId,
      identity: 'stand-in',
      memo,
      searchAttributes,
      priority,
    };
    const type = EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED;
    this.#append(type, 'workflowExecutionStartedEventAttributes', attributes, userMetadata);
    this.#scheduleTask();
  }

  describe() {
    const { memo, searchAttributes, taskQueue } = this.#options;
    const status = this.isClosed
      ? 'WORKFLOW_EXECUTION_STATUS_COMPLETED'
      : 'WORKFLOW_EXECUTION_STATUS_RUNNING';
    return {
      executionConfig: {},
      workflowExecutionInfo: {
        execution: { workflowId: this.workflowId, runId: this.runId },
        type: { name: this.workflowType },
        startTime: this.events[0].eventTime,
        executionTime: this.events[0].eventTime,
        status: proto.temporal.api.enums.v1.WorkflowExecutionStatus[status],
        historyLength: this.events.length,
        taskQueue,
        memo,
        searchAttributes,
      },
      pendingActivities: this.activities.describe(),
    };
  }

  /** Adds events now, or after the task that is at work. `timerId` is of a timer that fired. */
  arrive(add, timerId) {
    if (this.isClosed) return;
    if (this.#task?.isStarted || this.#isObeying) this.#arrived.push({ add, timerId });
    else {
      add((...event) => this.#append(...event));
      this.#scheduleTask();
    }
  }

  signal(signalName, input) {
    this.arrive((append) =>
      append(EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED, 'workflowExecutionSignaledEventAttributes', {
        signalName,
        input,
        identity: 'stand-in',
      }),
    );
  }

  requestCancel() {
    this.arrive((append) =>
      append(
        EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
        'workflowExecutionCancelRequestedEventAttributes',
        { cause: '' },
      ),
    );
  }

  terminate() {
    this.#append(
      EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
      'workflowExecutionTerminatedEventAttributes',
      { reason: '' },
    );
    this.#close();
  }

  admit(request) {
    const id = request.meta.updateId;
    const underWay = [...this.updates.values()].filter(({ outcome }) => !outcome).length;
    if (!this.updates.has(id) && underWay >= MOST_UPDATES)
      throw fail(
        'RESOURCE_EXHAUSTED',
        'limit on number of concurrent in-flight updates has been reached (10)',
      );
    if (!this.updates.has(id)) this.updates.set(id, { request, done: createDeferred(), isSent: false });
    this.#scheduleTask();
    return id;
  }

  query(query) {
    const result = createDeferred();
    this.#waitingQueries.push({ id: randomUUID(), query, result });
    this.#askNext();
    return result.promise.then(({ queryResult, errorMessage }) => {
      if (errorMessage) throw fail('INVALID_ARGUMENT', errorMessage);
      return { queryResult };
    });
  }

  /**
   * Hands out one thing of a run at a time, a query or a task. The SDK's core keeps only the newest one that comes while it works on
   * another, and drops the rest: on a server, they come again when their time is over.
   */
  #askNext() {
    if (this.#asked || (this.#task && !this.isClosed) || this.#lastStarted === 0) return;
    const asked = this.#waitingQueries.shift();
    if (!asked) return;
    this.#asked = asked;
    this.state.offer('workflow', this.#options.taskQueue, () =>
      this.#asked === asked ? this.#handQuery(asked) : undefined,
    );
  }

  #handQuery(asked) {
    const { id: queryId, query } = asked;
    // The worker may have died with it.
    asked.timer = this.state.clock.after(QUERY_LIMIT_MS, () => {
      if (this.#asked !== asked) return;
      this.#waitingQueries.unshift({ ...asked, id: randomUUID() });
      this.#endAsking();
    });
    return this.#describeTask({ taskToken: toToken({ runId: this.runId, queryId }), query });
  }

  #endAsking() {
    this.state.clock.stop(this.#asked.timer);
    this.#asked = undefined;
    if (this.#task && !this.#task.isStarted) this.#offerTask(this.#task);
    else this.#askNext();
  }

  endQuery(queryId, result) {
    if (this.#asked?.id !== queryId) return;
    this.#asked.result.resolve(result);
    this.#endAsking();
  }

  completeTask(startedEventId, { commands, messages, sdkMetadata }) {
    const scheduledEventId = this.#takeTask(startedEventId);
    if (commands.some(({ commandType }) => ENDS.has(commandType)) && this.#hasMore(commands)) {
      this.#append(EVENT.EVENT_TYPE_WORKFLOW_TASK_FAILED, 'workflowTaskFailedEventAttributes', {
        scheduledEventId,
        startedEventId,
        cause: UNHANDLED_COMMAND,
      });
      this.#sendAgain();
      this.#afterTask();
      throw fail('INVALID_ARGUMENT', 'UnhandledCommand');
    }
    // The worker reads on replay which of its own rules it has followed.
    const completed = this.#append(
      EVENT.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
      'workflowTaskCompletedEventAttributes',
      { scheduledEventId, startedEventId, sdkMetadata },
    );
    const byId = new Map(messages.map((message) => [message.id, message]));
    for (const message of messages)
      if (message.body.type_url.endsWith('.Rejection')) this.#noteMessage(message);
    this.#isObeying = true;
    for (const command of commands) this.#obey(command, completed, byId);
    this.#isObeying = false;
    this.#afterTask();
  }

  /** Whether something has come that the run must see before it ends: not a timer that the same task cancels. */
  #hasMore(commands) {
    const cancelled = new Set(commands.map((command) => command.cancelTimerCommandAttributes?.timerId));
    return (
      this.#arrived.some(({ timerId }) => timerId === undefined || !cancelled.has(timerId)) ||
      [...this.updates.values()].some(({ isSent }) => !isSent)
    );
  }

  failTask(startedEventId, cause, failure) {
    const scheduledEventId = this.#takeTask(startedEventId);
    this.#append(EVENT.EVENT_TYPE_WORKFLOW_TASK_FAILED, 'workflowTaskFailedEventAttributes', {
      scheduledEventId,
      startedEventId,
      cause,
      failure,
    });
    this.lastTaskFailure = failure?.message;
    this.#sendAgain();
    // As after a failure on a server, the next task comes a little later.
    this.state.clock.after(500, () => this.#afterTask(true));
  }

  /** Updates that came with a task that was void come with the next one. */
  #sendAgain() {
    for (const update of this.updates.values())
      if (!update.outcome && !update.acceptedEventId) update.isSent = false;
  }

  #takeTask(startedEventId) {
    if (this.isClosed || startedEventId === undefined || this.#task?.startedEventId !== startedEventId)
      throw fail('NOT_FOUND', 'this task is not the one that runs');
    const { scheduledEventId } = this.#task;
    this.state.clock.stop(this.#task.timer);
    this.#task = undefined;
    return scheduledEventId;
  }

  #afterTask(isAgain = false) {
    if (this.isClosed) return;
    const arrived = this.#arrived.splice(0);
    for (const { add } of arrived) add((...event) => this.#append(...event));
    const isAsked = [...this.updates.values()].some(({ isSent }) => !isSent);
    if (
      isAgain ||
      arrived.length > 0 ||
      isAsked ||
      this.events.at(-1).eventType === EVENT.EVENT_TYPE_WORKFLOW_TASK_FAILED
    )
      this.#scheduleTask();
    this.#askNext();
  }

  #scheduleTask() {
    if (this.#task || this.isClosed) return;
    const scheduledEventId = this.#append(
      EVENT.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
      'workflowTaskScheduledEventAttributes',
      { taskQueue: { name: this.#options.taskQueue }, startToCloseTimeout: { seconds: 10 }, attempt: 1 },
    );
    const task = { scheduledEventId };
    this.#task = task;
    if (!this.#asked) this.#offerTask(task);
  }

  #offerTask(task) {
    this.state.offer('workflow', this.#options.taskQueue, () =>
      this.#task === task && !task.isStarted ? this.#startTask(task) : undefined,
    );
  }

  #startTask(task) {
    task.isStarted = true;
    const { scheduledEventId } = task;
    const suggestContinueAsNew = this.events.length >= this.state.suggestNewRunAfter;
    task.startedEventId = this.#append(
      EVENT.EVENT_TYPE_WORKFLOW_TASK_STARTED,
      'workflowTaskStartedEventAttributes',
      {
        scheduledEventId,
        requestId: randomUUID(),
        suggestContinueAsNew,
        historySizeBytes: this.events.length * 200,
      },
    );
    task.timer = this.state.clock.after(TASK_LIMIT_MS, () => {
      this.#takeTask(task.startedEventId);
      this.#append(EVENT.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, 'workflowTaskTimedOutEventAttributes', {
        scheduledEventId,
        startedEventId: task.startedEventId,
        timeoutType: 1,
      });
      this.#sendAgain();
      this.#afterTask(true);
    });
    const messages = [];
    for (const [id, update] of this.updates) {
      if (update.isSent) continue;
      update.isSent = true;
      const value = updateTypes.Request.encode(update.request).finish();
      messages.push({
        id: `${id}/request`,
        protocolInstanceId: id,
        eventId: task.startedEventId - 1,
        body: { type_url: `${PREFIX}Request`, value },
      });
    }
    const response = this.#describeTask({
      taskToken: toToken({ runId: this.runId, startedEventId: task.startedEventId }),
      startedEventId: task.startedEventId,
      messages,
    });
    this.#lastStarted = task.startedEventId;
    return response;
  }

  #describeTask(more) {
    return {
      workflowExecution: { workflowId: this.workflowId, runId: this.runId },
      workflowType: { name: this.workflowType },
      workflowExecutionTaskQueue: { name: this.#options.taskQueue },
      previousStartedEventId: this.#lastStarted,
      attempt: 1,
      history: { events: [...this.events] },
      scheduledTime: now(),
      startedTime: now(),
      ...more,
    };
  }

  #obey(command, workflowTaskCompletedEventId, messages) {
    const [type, facts] = [command.commandType, command[command.attributes]];
    const add = (event, field, attributes) =>
      this.#append(event, field, { workflowTaskCompletedEventId, ...attributes }, command.userMetadata);
    switch (type) {
      case COMMAND.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK: {
        const { requestEagerExecution: _, ...attributes } = facts;
        this.activities.schedule(
          add(EVENT.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, 'activityTaskScheduledEventAttributes', attributes),
          attributes,
        );
        break;
      }
      case COMMAND.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK:
        add(
          EVENT.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
          'activityTaskCancelRequestedEventAttributes',
          facts,
        );
        this.activities.requestCancel(Number(facts.scheduledEventId));
        break;
      case COMMAND.COMMAND_TYPE_START_TIMER: {
        const { timerId, startToFireTimeout } = facts;
        const startedEventId = add(EVENT.EVENT_TYPE_TIMER_STARTED, 'timerStartedEventAttributes', {
          timerId,
          startToFireTimeout,
        });
        const fire = () =>
          this.arrive(
            (append) =>
              append(EVENT.EVENT_TYPE_TIMER_FIRED, 'timerFiredEventAttributes', { timerId, startedEventId }),
            timerId,
          );
        this.#timers.set(timerId, {
          startedEventId,
          timer: this.state.clock.after(toMs(startToFireTimeout), fire),
        });
        break;
      }
      case COMMAND.COMMAND_TYPE_CANCEL_TIMER: {
        const { timer, startedEventId } = this.#timers.get(facts.timerId);
        this.state.clock.stop(timer);
        // It may have fired while the task was at work. A server takes that back: a cancelled timer never fires in a history.
        this.#arrived = this.#arrived.filter(({ timerId }) => timerId !== facts.timerId);
        add(EVENT.EVENT_TYPE_TIMER_CANCELED, 'timerCanceledEventAttributes', {
          timerId: facts.timerId,
          startedEventId,
        });
        break;
      }
      case COMMAND.COMMAND_TYPE_PROTOCOL_MESSAGE:
        this.#noteMessage(messages.get(facts.messageId));
        break;
      case COMMAND.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION:
        add(EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, 'workflowExecutionCompletedEventAttributes', {
          result: facts.result,
        });
        this.#close();
        break;
      case COMMAND.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION:
        add(EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED, 'workflowExecutionFailedEventAttributes', {
          failure: facts.failure,
        });
        this.#close();
        break;
      case COMMAND.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION:
        add(EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED, 'workflowExecutionCanceledEventAttributes', {});
        this.#close();
        break;
      case COMMAND.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION:
        this.#continue(facts, add);
        break;
      default:
        throw fail('UNIMPLEMENTED', `the stand-in does not know the command ${type}`);
    }
  }

  /** A server carries over the priority alone: the SDK's core names the memo and the search attributes, and nobody the summary. */
  #continue({ workflowType, taskQueue, input, memo, searchAttributes }, add) {
    const own = this.#options;
    const next = {
      memo,
      searchAttributes,
      priority: own.priority,
      workflowId: this.workflowId,
      workflowType: workflowType.name,
      taskQueue: taskQueue?.name || this.#options.taskQueue,
      input,
      continuedFrom: this.runId,
      firstRunId: this.#options.firstRunId ?? this.runId,
    };
    add(
      EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
      'workflowExecutionContinuedAsNewEventAttributes',
      { newExecutionRunId: 'next', workflowType, taskQueue, input },
    );
    this.#close();
    const run = this.state.start(next);
    this.events.at(-1).workflowExecutionContinuedAsNewEventAttributes.newExecutionRunId = run.runId;
  }

  #noteMessage({ protocolInstanceId, body }) {
    const update = this.updates.get(protocolInstanceId);
    const type = body.type_url.slice(PREFIX.length);
    const facts = updateTypes[type].decode(body.value);
    if (type === 'Acceptance')
      update.acceptedEventId = this.#append(
        EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
        'workflowExecutionUpdateAcceptedEventAttributes',
        {
          protocolInstanceId,
          acceptedRequestMessageId: facts.acceptedRequestMessageId,
          acceptedRequestSequencingEventId: facts.acceptedRequestSequencingEventId,
          acceptedRequest: update.request,
        },
      );
    else if (type === 'Rejection') {
      // A server forgets it: the same id may come again.
      this.updates.delete(protocolInstanceId);
      this.#settle(update, { failure: facts.failure });
    } else {
      this.#append(
        EVENT.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
        'workflowExecutionUpdateCompletedEventAttributes',
        { meta: facts.meta, acceptedEventId: update.acceptedEventId, outcome: facts.outcome },
      );
      this.#settle(update, facts.outcome);
    }
  }

  #settle(update, outcome) {
    update.outcome = outcome;
    update.done.resolve();
  }

  #append(eventType, field, attributes, userMetadata) {
    const eventId = this.events.length + 1;
    this.events.push({
      eventId,
      eventTime: now(),
      eventType,
      taskId: eventId,
      [field]: attributes,
      ...(userMetadata && { userMetadata }),
    });
    return eventId;
  }

  #close() {
    this.isClosed = true;
    this.activities.clear();
    for (const { timer } of this.#timers.values()) this.state.clock.stop(timer);
    const failure = {
      message: 'The workflow ended before the update',
      applicationFailureInfo: { type: 'AcceptedUpdateCompletedWorkflow', nonRetryable: true },
    };
    for (const update of this.updates.values())
      if (update.acceptedEventId && !update.outcome) this.#settle(update, { failure });
    this.#askNext();
    this.closed.resolve();
  }
}

const ENDS = new Set([
  COMMAND.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  COMMAND.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  COMMAND.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION,
  COMMAND.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
]);

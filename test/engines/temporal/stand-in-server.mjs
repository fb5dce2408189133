// A stand-in for a Temporal server, for machines that cannot get one: it speaks as much of the server's protocol, over gRPC on loopback,
// as the SDK's worker and client need for the scenes here. It is written from the public definitions of the API and keeps everything
// in memory. What runs against it has run on the real SDK, and not on a real server.
import grpc from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import { Clock, fail } from './stand-in-parts.mjs';
import { StandInRun } from './stand-in-run.mjs';

const service = proto.temporal.api.workflowservice.v1;
const NAME = 'temporal.api.workflowservice.v1.WorkflowService';
const POLL_MS = 5000;
const { UpdateWorkflowExecutionLifecycleStage: STAGE } = proto.temporal.api.enums.v1;
const STAGES = {
  COMPLETED: STAGE.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED,
  ACCEPTED: STAGE.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED,
  ADMITTED: STAGE.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED,
};

/** Starts the server. `suggestNewRunAfter` is the number of events after which it suggests a new run to workflows. */
export async function startStandIn({ suggestNewRunAfter = Infinity } = {}) {
  const state = new StandInState(suggestNewRunAfter);
  const server = new grpc.Server();
  server.addService(describeService(), createMethods(state));
  const port = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return {
    address: `127.0.0.1:${port}`,
    /** The events of all runs of a workflow, by run. */
    histories: (workflowId) =>
      state.runs
        .filter((run) => workflowId === undefined || run.workflowId === workflowId)
        .map(({ events }) => events),
    close: () => {
      state.clock.clear();
      server.forceShutdown();
    },
  };
}

class StandInState {
  clock = new Clock();
  runs = [];
  queues = new Map();
  pollers = new Map();

  constructor(suggestNewRunAfter) {
    this.suggestNewRunAfter = suggestNewRunAfter;
  }

  /** A task for whoever polls the queue next. `take` makes the response, or returns nothing if the task has become void. */
  offer(kind, queue, take) {
    const key = `${kind}:${queue}`;
    const waiting = this.pollers.get(key) ?? [];
    while (waiting.length > 0) {
      const task = take();
      if (!task) return;
      const poller = waiting.shift();
      if (poller.hand(task)) return;
    }
    this.queues.set(key, [...(this.queues.get(key) ?? []), take]);
  }

  async poll(kind, queue, call) {
    const key = `${kind}:${queue}`;
    const tasks = this.queues.get(key) ?? [];
    while (tasks.length > 0) {
      const task = tasks.shift()();
      if (task) return task;
    }
    return await new Promise((resolve) => {
      let isDone = false;
      const finish = (task) => {
        if (isDone) return false;
        isDone = true;
        this.clock.stop(timer);
        this.pollers.set(
          key,
          (this.pollers.get(key) ?? []).filter((each) => each !== poller),
        );
        resolve(task);
        return true;
      };
      const poller = { hand: (task) => !call.cancelled && finish(task) };
      const timer = this.clock.after(POLL_MS, () => finish({}));
      call.on('cancelled', () => finish({}));
      this.pollers.set(key, [...(this.pollers.get(key) ?? []), poller]);
    });
  }

  start(attributes) {
    const run = new StandInRun(this, attributes);
    this.runs.push(run);
    run.begin();
    return run;
  }

  find({ workflowId, runId }) {
    const isIt = (run) => run.workflowId === workflowId && (!runId || run.runId === runId);
    const run = this.runs.findLast(isIt);
    if (!run) throw fail('NOT_FOUND', `no workflow "${workflowId}"`);
    return run;
  }

  findOpen(execution) {
    const run = this.find(execution);
    if (run.isClosed) throw fail('NOT_FOUND', 'workflow execution already completed');
    return run;
  }

  byToken(token) {
    const { runId, ...rest } = JSON.parse(Buffer.from(token).toString());
    const run = this.runs.find((each) => each.runId === runId);
    if (!run) throw fail('NOT_FOUND', 'no such run');
    return { run, ...rest };
  }
}

function describeService() {
  const names = Object.keys(service).filter(
    (name) => name.endsWith('Request') && service[name.replace(/Request$/, 'Response')],
  );
  return Object.fromEntries(
    names.map((name) => {
      const method = name.replace(/Request$/, '');
      const coder = (type) => ({
        to: (value) => Buffer.from(type.encode(value).finish()),
        from: (bytes) => type.decode(bytes),
      });
      const request = coder(service[name]);
      const response = coder(service[`${method}Response`]);
      const facts = {
        path: `/${NAME}/${method}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: request.to,
        requestDeserialize: request.from,
        responseSerialize: response.to,
        responseDeserialize: response.from,
      };
      return [method, facts];
    }),
  );
}

function createMethods(state) {
  const methods = handlersOf(state);
  return Object.fromEntries(
    Object.entries(methods).map(([name, handle]) => [
      name,
      (call, answer) => {
        Promise.resolve()
          .then(() => handle(call.request, call))
          .then(
            (response) => answer(null, response ?? {}),
            (error) => answer({ code: error.code ?? grpc.status.INTERNAL, details: error.message }),
          );
      },
    ]),
  );
}

function handlersOf(state) {
  const startOptions = (request) => ({
    ...request,
    workflowType: request.workflowType.name,
    taskQueue: request.taskQueue.name,
  });
  const startOrFind = (request) => {
    const open = state.runs.findLast((run) => run.workflowId === request.workflowId && !run.isClosed);
    return open ?? state.start(startOptions(request));
  };
  const awaitUpdate = async (run, updateId) => {
    const update = run.updates.get(updateId);
    if (!update) throw fail('NOT_FOUND', `no update "${updateId}"`);
    await state.clock.race(update.done.promise, POLL_MS);
    const { COMPLETED, ACCEPTED, ADMITTED } = STAGES;
    const stage = update.outcome ? COMPLETED : update.acceptedEventId ? ACCEPTED : ADMITTED;
    const workflowExecution = { workflowId: run.workflowId, runId: run.runId };
    return { updateRef: { workflowExecution, updateId }, outcome: update.outcome, stage };
  };
  return {
    GetSystemInfo: () => ({
      serverVersion: '0.0.0-stand-in',
      capabilities: {
        signalAndQueryHeader: true,
        internalErrorDifferentiation: true,
        activityFailureIncludeHeartbeat: true,
        encodedFailureAttributes: true,
        supportsSchedules: false,
        sdkMetadata: true,
      },
    }),
    DescribeNamespace: ({ namespace }) => ({ namespaceInfo: { name: namespace, capabilities: {} } }),
    ShutdownWorker: () => ({}),
    RecordWorkerHeartbeat: () => ({}),
    PollNexusTaskQueue: (_request, call) => state.poll('nexus', 'none', call),
    PollWorkflowTaskQueue: ({ taskQueue }, call) => state.poll('workflow', taskQueue.name, call),
    PollActivityTaskQueue: ({ taskQueue }, call) => state.poll('activity', taskQueue.name, call),
    StartWorkflowExecution: (request) => ({ runId: state.start(startOptions(request)).runId, started: true }),
    SignalWithStartWorkflowExecution: (request) => {
      const run = startOrFind(request);
      run.signal(request.signalName, request.signalInput);
      return { runId: run.runId, started: true };
    },
    SignalWorkflowExecution: ({ workflowExecution, signalName, input }) =>
      state.findOpen(workflowExecution).signal(signalName, input),
    RequestCancelWorkflowExecution: ({ workflowExecution }) =>
      state.findOpen(workflowExecution).requestCancel(),
    TerminateWorkflowExecution: ({ workflowExecution }) => state.findOpen(workflowExecution).terminate(),
    DescribeWorkflowExecution: ({ execution }) => state.find(execution).describe(),
    QueryWorkflow: async ({ execution, query }) => await state.find(execution).query(query),
    UpdateWorkflowExecution: async ({ workflowExecution, request }) => {
      const run = state.findOpen(workflowExecution);
      const id = run.admit(request);
      return await awaitUpdate(run, id);
    },
    PollWorkflowExecutionUpdate: async ({ updateRef }) =>
      await awaitUpdate(state.find(updateRef.workflowExecution), updateRef.updateId),
    GetWorkflowExecutionHistory: async ({ execution, waitNewEvent }) => {
      const run = state.find(execution);
      if (waitNewEvent) await state.clock.race(run.closed.promise, POLL_MS);
      const events = waitNewEvent ? (run.isClosed ? [run.events.at(-1)] : []) : run.events;
      return {
        history: { events },
        nextPageToken: waitNewEvent && !run.isClosed ? Buffer.from('more') : Buffer.alloc(0),
      };
    },
    RespondWorkflowTaskCompleted: ({ taskToken, commands, messages, sdkMetadata }) => {
      const { run, startedEventId } = state.byToken(taskToken);
      run.completeTask(startedEventId, { commands, messages, sdkMetadata });
      return {};
    },
    RespondWorkflowTaskFailed: ({ taskToken, cause, failure }) => {
      const { run, startedEventId } = state.byToken(taskToken);
      run.failTask(startedEventId, cause, failure);
    },
    RespondQueryTaskCompleted: ({ taskToken, ...result }) => {
      const { run, queryId } = state.byToken(taskToken);
      run.endQuery(queryId, result);
    },
    RecordActivityTaskHeartbeat: ({ taskToken, details }) => {
      const { run, ...which } = state.byToken(taskToken);
      return run.activities.beat(which, details);
    },
    RespondActivityTaskCompleted: ({ taskToken, result }) => {
      const { run, ...which } = state.byToken(taskToken);
      run.activities.complete(which, result);
    },
    RespondActivityTaskFailed: ({ taskToken, failure }) => {
      const { run, ...which } = state.byToken(taskToken);
      run.activities.fail(which, failure);
    },
    RespondActivityTaskCanceled: ({ taskToken, details }) => {
      const { run, ...which } = state.byToken(taskToken);
      run.activities.cancelled(which, details);
    },
  };
}

// What is used of `@temporalio/workflow`. The code of workflows gets it as a parameter, so that tests run this code on a stand-in.

/** What a handler is set for. */
export interface MessageDefinition {
  readonly type: string;
  readonly name: string;
}

/** What is known of the run. */
export interface WorkflowRun {
  readonly continueAsNewSuggested: boolean;
  /** The id of the run. It stays the same when the run is reset, so that what was recorded with it is replayed. */
  readonly originalExecutionRunId: string;
}

/** Part of a workflow that can be cancelled alone. */
export interface WorkflowScope {
  readonly consideredCancelled: boolean;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  cancel(): void;
}

/** How Temporal runs an activity. Durations are milliseconds, or texts such as '30 seconds'. */
export interface ActivitySettings {
  taskQueue?: string | undefined;
  startToCloseTimeout?: Duration | undefined;
  scheduleToCloseTimeout?: Duration | undefined;
  heartbeatTimeout?: Duration | undefined;
  retry?: RetrySettings | undefined;
  priority?: TurnPriority | undefined;
  cancellationType?: 'WAIT_CANCELLATION_COMPLETED';
  summary?: string;
}

/** Which tasks of a queue Temporal hands out first, as its `Priority`. */
export interface TurnPriority {
  /** 1 is the first. Default 3. */
  priorityKey?: number | undefined;
  /** Tasks with the same key share a part of the queue, such as those of one tenant. */
  fairnessKey?: string | undefined;
  /** How large that part is. Default 1. */
  fairnessWeight?: number | undefined;
}

/** Milliseconds, or a text such as '30 seconds'. */
export type Duration = number | `${number} ${'second' | 'minute' | 'hour' | 'day'}${'' | 's'}`;

/** When Temporal tries again. */
export interface RetrySettings {
  initialInterval?: Duration;
  backoffCoefficient?: number;
  maximumInterval?: Duration;
  maximumAttempts?: number;
  nonRetryableErrorTypes?: string[];
}

/** The parts of `@temporalio/workflow` that are used here. */
export interface WorkflowLibrary {
  readonly condition: {
    (holds: () => boolean, limitMs: number): Promise<boolean>;
    (holds: () => boolean): Promise<void>;
  };
  readonly sleep: (ms: number) => Promise<void>;
  readonly proxyActivities: (settings: ActivitySettings) => unknown;
  readonly workflowInfo: () => WorkflowRun;
  readonly continueAsNew: (...args: never[]) => Promise<never>;
  readonly allHandlersFinished: () => boolean;
  readonly defineQuery: (name: string) => MessageDefinition;
  readonly defineSignal: (name: string) => MessageDefinition;
  readonly defineUpdate: (name: string) => MessageDefinition;
  readonly setHandler: (
    definition: never,
    handler: (...args: never[]) => unknown,
    options?: { validator?: (...args: never[]) => void; description?: string },
  ) => void;
  readonly CancellationScope: {
    new (): WorkflowScope;
    current(): WorkflowScope;
    nonCancellable<Result>(work: () => Promise<Result>): Promise<Result>;
  };
  readonly ApplicationFailure: {
    create(facts: { message: string; type: string; nonRetryable?: boolean }): Error;
  };
  readonly CancelledFailure: new (message: string) => Error;
  /** What Temporal reports as a failure. Any other error fails the task of the workflow, which is tried again. */
  readonly TemporalFailure: abstract new (...args: never[]) => Error;
  readonly isCancellation: (error: unknown) => boolean;
  readonly log: { warn(message: string, facts?: Record<string, unknown>): void };
}

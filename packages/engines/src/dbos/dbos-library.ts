// What is used of `@dbos-inc/dbos-sdk`, an optional peer that is loaded when turns are registered.
import { prepareEngineLibrary } from '../turn/engine-library.js';

/** What is read of a workflow's status. */
export interface DbosWorkflowStatus {
  readonly workflowID: string;
  readonly status: string;
  /** The version of the application that began the workflow. No other version runs it. */
  readonly applicationVersion?: string | undefined;
  /** What it was begun with. */
  readonly input?: unknown[] | undefined;
}

/** What is read of a step of a workflow. */
export interface DbosStep {
  readonly functionID: number;
  readonly error: Error | null;
}

/** A workflow, as a program outside of it sees it. */
export interface DbosHandle {
  getStatus(): Promise<DbosWorkflowStatus | null>;
  getResult(options?: { pollingIntervalMs?: number }): Promise<unknown>;
}

/** How a workflow is put into a queue. */
export interface DbosEnqueueOptions {
  queueName: string;
  workflowName: string;
  workflowID: string;
  queuePartitionKey: string;
}

/** What the class `DBOS` and a `DBOSClient` both have. */
export interface DbosCalls {
  /** The version of this process. A client has none. */
  readonly applicationVersion?: string | undefined;
  send(workflowID: string, message: unknown, topic: string, idempotencyKey?: string): Promise<void>;
  getEvent(workflowID: string, key: string, options: { timeoutSeconds: number }): Promise<unknown>;
  retrieveWorkflow(workflowID: string): DbosHandle;
  listWorkflows(filter: {
    executorId: string;
    queueName: string;
    status: 'PENDING';
    loadInput: boolean;
  }): Promise<readonly DbosWorkflowStatus[]>;
  resumeWorkflows(workflowIDs: string[], options: { queueName: string }): Promise<unknown>;
  listWorkflowSteps(workflowID: string): Promise<readonly DbosStep[] | undefined>;
  /** Drops what a workflow recorded from a step on, and puts it into the queue again. Rejects unless the workflow is over. */
  rewindWorkflow(
    workflowID: string,
    options: {
      startStep: number;
      queueName: string;
      queuePartitionKey: string;
      applicationVersion?: string;
    },
  ): Promise<unknown>;
}

/** What is used of a `DBOSClient` of DBOS. */
export interface DbosClient extends DbosCalls {
  enqueue(options: DbosEnqueueOptions, ...args: unknown[]): Promise<unknown>;
}

/** What is used of the class `DBOS`. */
export interface DbosClass extends DbosCalls {
  readonly workflowID: string | undefined;
  readonly stepStatus: { readonly cancelSignal?: AbortSignal | undefined } | undefined;
  registerWorkflow<Input, Output>(
    work: (input: Input) => Promise<Output>,
    config: { name: string; maxRecoveryAttempts?: number },
  ): (input: Input) => Promise<Output>;
  registerLifecycleCallback(callback: { initialize(): Promise<void> }): void;
  registerQueue(
    name: string,
    options: { partitionConcurrency: number; workerConcurrency: number; minPollingIntervalMs?: number },
  ): Promise<unknown>;
  enqueueWorkflowWithOptions(options: DbosEnqueueOptions, ...args: unknown[]): Promise<unknown>;
  runStep<Output>(
    work: () => Promise<Output>,
    config: {
      name: string;
      retriesAllowed: boolean;
      maxAttempts: number;
      intervalSeconds: number;
      backoffRate: number;
      shouldRetry: (error: unknown) => boolean;
    },
  ): Promise<Output>;
  getWorkflowStatus(workflowID: string): Promise<DbosWorkflowStatus | null>;
  setEvent(key: string, value: unknown): Promise<void>;
  recv(topic: string, options: { timeoutSeconds: number }): Promise<unknown>;
  sleep(ms: number): Promise<void>;
}

/** The parts of DBOS that are used here. */
export interface DbosLibrary {
  readonly DBOS: DbosClass;
  /** Rejects if another execution has the workflow by now. */
  readonly assertStillOwnsWorkflow: (workflowID: string) => Promise<void>;
}

const NAME = '@dbos-inc/dbos-sdk';

/** Loads the library. Rejects with a PartLoadError that has the install command if it is not installed. */
export const loadDbos = prepareEngineLibrary<DbosLibrary>(
  { of: 'dbosTurns()', name: NAME, install: `npm install ${NAME}@^5.3.0`, room: 4 },
  async (importModule) => {
    const { DBOS } = await importModule(() => import('@dbos-inc/dbos-sdk'));
    const { assertStillOwnsWorkflow } = await importModule(() => import('@dbos-inc/dbos-sdk/datasource'));
    return { DBOS, assertStillOwnsWorkflow };
  },
);

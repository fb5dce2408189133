// What is used of `@dbos-inc/dbos-sdk`, an optional peer that is loaded when turns are registered.
import { PartLoadError } from '@inboard/core/errors.js';
import { LateModule } from '@inboard/core/util/late-module.js';
import { loadPackage } from '@inboard/core/util/load-part.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** What is read of a workflow's status. */
export interface DbosWorkflowStatus {
  readonly workflowID: string;
  readonly status: string;
  /** The version of the application that began the workflow. No other version runs it. */
  readonly applicationVersion?: string | undefined;
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
const INSTALL = `npm install ${NAME}@^5.3.0`;
/** How many file descriptors must be free to load it. */
const ROOM = 4;

const FACTS = { name: NAME, room: ROOM };

const library = new LateModule<DbosLibrary>(importLibrary);

/** Loads the library. Rejects with a PartLoadError that has the install command if it is not installed. */
export async function loadDbos(): Promise<DbosLibrary> {
  try {
    return await library.load();
  } catch (error) {
    if (error instanceof PartLoadError) throw error;
    throw new PartLoadError(
      'PART_MISSING',
      NAME,
      `dbosTurns() needs the package "${NAME}", which cannot be loaded: ${messageOf(error)}. Install it with "${INSTALL}".`,
      { cause: error },
    );
  }
}

async function importLibrary(): Promise<DbosLibrary> {
  const { DBOS } = await loadPackage(FACTS, () => import('@dbos-inc/dbos-sdk'));
  const { assertStillOwnsWorkflow } = await loadPackage(FACTS, () => import('@dbos-inc/dbos-sdk/datasource'));
  return { DBOS, assertStillOwnsWorkflow };
}

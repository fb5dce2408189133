// What is used of `@temporalio/client`: the program has a client and passes it, so nothing is loaded here. And how its errors are read.
import type { TurnPriority } from './workflow/workflow-library.js';

/** What is used of a workflow's handle in `@temporalio/client`. */
export interface TemporalWorkflowHandle {
  signal(name: string, ...args: unknown[]): Promise<void>;
  query(name: string, ...args: unknown[]): Promise<unknown>;
  executeUpdate(name: string, options: { args: [unknown]; updateId?: string }): Promise<unknown>;
  describe(): Promise<unknown>;
}

/** What a workflow may be started with besides what Inboard sets, as in Temporal's own options. New runs keep it, except for the last two. */
export interface TemporalStartOptions {
  memo?: Record<string, unknown>;
  /** Pairs as `defineSearchAttributeKey` and `TypedSearchAttributes` of `@temporalio/common` make them. */
  typedSearchAttributes?: unknown;
  /** Of the workflow's tasks. Attempts take it over, unless `attempts` has another one. */
  priority?: TurnPriority;
  staticSummary?: string;
  staticDetails?: string;
}

/** What is used of the `Client` of `@temporalio/client`. */
export interface TemporalClient {
  readonly workflow: {
    signalWithStart(
      workflow: string,
      options: {
        workflowId: string;
        taskQueue: string;
        args: [unknown];
        signal: string;
        signalArgs: [unknown];
      },
    ): Promise<unknown>;
    getHandle(workflowId: string): TemporalWorkflowHandle;
  };
}

/** The attempt that Temporal makes, or will make again. */
export interface TemporalAttempt {
  /** How many attempts Temporal has made since the turn last waited: 1 for the first. */
  number: number;
  /** Why the one before failed. */
  lastError?: { message: string; type?: string };
}

/** Reads the attempt from the description of a workflow. */
export function readPendingAttempt(description: unknown): TemporalAttempt | undefined {
  const { raw } = description as { raw?: { pendingActivities?: PendingActivity[] | null } };
  const activity = raw?.pendingActivities?.find((each) => each.activityType?.name === 'inboardAttempt');
  if (!activity) return undefined;
  const { attempt, lastFailure } = activity;
  const type = lastFailure?.applicationFailureInfo?.type;
  return {
    number: attempt ?? 1,
    ...(lastFailure && { lastError: { message: lastFailure.message ?? '', ...(type && { type }) } }),
  };
}

interface PendingActivity {
  activityType?: { name?: string | null } | null;
  attempt?: number | null;
  lastFailure?: {
    message?: string | null;
    applicationFailureInfo?: { type?: string | null } | null;
  } | null;
}

const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;

/** A server takes longer than this to say that no worker answers. What comes sooner is a deadline that the program has set. */
const LEAST_UNANSWERED_MS = 1000;

/** Whether no worker could answer a query that took this long: none polls, or the workflow's task fails. It may be asked again. */
export function isUnanswered(error: unknown, tookMs: number): boolean {
  return (
    hasCode(error, FAILED_PRECONDITION) ||
    (hasCode(error, DEADLINE_EXCEEDED) && tookMs >= LEAST_UNANSWERED_MS)
  );
}

/** Whether the workflow takes no further update: ten are under way, or this run has had 2,000. */
export function isFull(error: unknown): boolean {
  return hasCode(error, RESOURCE_EXHAUSTED, FAILED_PRECONDITION);
}

/** Whether there is no such workflow, or it has completed. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowNotFoundError';
}

/** The error in this one, or in its causes, that has this `type`, which an ApplicationFailure has. */
export function findFailureOfType(error: unknown, type: string): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error as { type?: unknown }).type === type ? error : findFailureOfType(error.cause, type);
}

function hasCode(error: unknown, ...codes: number[]): boolean {
  if (!(error instanceof Error)) return false;
  return codes.includes((error as { code?: number }).code ?? -1) || hasCode(error.cause, ...codes);
}

// What is used of `@temporalio/activity`, an optional peer that is loaded with the first attempt. Whoever runs a worker has it.
import { prepareEngineLibrary } from '../turn/engine-library.js';

/** Why an activity was cancelled, as Temporal tells it. Several may be true. */
export interface ActivityCancellation {
  readonly cancelRequested: boolean;
  readonly notFound: boolean;
  readonly paused: boolean;
  readonly reset: boolean;
  readonly timedOut: boolean;
  readonly workerShutdown: boolean;
}

/** The activity that is running. */
export interface ActivityContext {
  readonly info: { readonly heartbeatTimeoutMs?: number | undefined };
  readonly cancellationSignal: AbortSignal;
  readonly cancellationDetails?: ActivityCancellation | undefined;
  heartbeat(details?: unknown): void;
}

/** What an activity throws so that Temporal retries as it says. */
export interface ActivityFailureFacts {
  message: string;
  type: string;
  nonRetryable?: boolean;
  details?: unknown[];
  cause?: Error;
  nextRetryDelay?: number;
  /** Nothing is wrong: the SDK counts no failure in its metrics, and logs it for debugging alone. */
  category?: 'BENIGN';
}

/** The parts of `@temporalio/activity` that are used here. */
export interface ActivityLibrary {
  readonly Context: { current(): ActivityContext };
  readonly ApplicationFailure: { create(facts: ActivityFailureFacts): Error };
}

/** Loads the library. Rejects with a PartLoadError that has the install command if it is not installed. */
export const loadActivityLibrary = prepareEngineLibrary<ActivityLibrary>(
  {
    of: 'turnActivities()',
    name: '@temporalio/activity',
    install: 'npm install @temporalio/worker@^1.24.0 @temporalio/activity@^1.24.0',
    room: 4,
  },
  (importModule) => importModule(() => import('@temporalio/activity')),
);

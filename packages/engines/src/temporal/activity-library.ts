// What is used of `@temporalio/activity`, an optional peer that is loaded with the first attempt. Whoever runs a worker has it.
import { PartLoadError } from '@inboard/core/errors.js';
import { LateModule } from '@inboard/core/util/late-module.js';
import { loadPackage } from '@inboard/core/util/load-part.js';
import { messageOf } from '@inboard/core/util/message-of.js';

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
}

/** The parts of `@temporalio/activity` that are used here. */
export interface ActivityLibrary {
  readonly Context: { current(): ActivityContext };
  readonly ApplicationFailure: { create(facts: ActivityFailureFacts): Error };
}

const NAME = '@temporalio/activity';
const INSTALL = 'npm install @temporalio/worker@^1.24.0 @temporalio/activity@^1.24.0';
/** How many file descriptors must be free to load it. */
const ROOM = 4;

const library = new LateModule<ActivityLibrary>(() =>
  loadPackage({ name: NAME, room: ROOM }, () => import('@temporalio/activity')),
);

/** Loads the library. Rejects with a PartLoadError that has the install command if it is not installed. */
export async function loadActivityLibrary(): Promise<ActivityLibrary> {
  try {
    return await library.load();
  } catch (error) {
    if (error instanceof PartLoadError) throw error;
    throw new PartLoadError(
      'PART_MISSING',
      NAME,
      `turnActivities() needs the package "${NAME}", which cannot be loaded: ${messageOf(error)}. Install it with "${INSTALL}".`,
      { cause: error },
    );
  }
}

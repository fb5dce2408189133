// The options with which the CLI of a long session is started: the first time, and each time after.
import { randomUUID } from 'node:crypto';
import type { QueryOptions } from './name-tools.js';

/** What is known of the conversation when its CLI is started. */
export interface StartFacts {
  sessionId: string | undefined;
  /** Whether anything was said, so that there is something to resume. */
  hasWritten: boolean;
  /** The CLI does not have it, although something was said. */
  mustStartAnew: boolean;
}

/** A session of our own gets its id from us, so that it can be resumed whatever happens. */
export function withSessionId(options: QueryOptions): QueryOptions {
  const isAnothers = options.resume !== undefined || options.continue === true;
  if (options.sessionId !== undefined || (isAnothers && options.forkSession !== true)) return options;
  return { ...options, sessionId: randomUUID() };
}

/** The options of the next start: the first ones until something was said, then those that go on with it. */
export function planStart(options: QueryOptions, facts: StartFacts): QueryOptions {
  const { sessionId } = facts;
  if (!facts.hasWritten || sessionId === undefined) return options;
  if (facts.mustStartAnew) return options.sessionId === undefined ? options : { ...options, sessionId };
  const resumed: QueryOptions = { ...options, resume: sessionId };
  for (const key of ONLY_AT_FIRST) delete resumed[key];
  return resumed;
}

const ONLY_AT_FIRST = [
  'sessionId',
  'continue',
  'forkSession',
  'resumeSessionAt',
  'resumeDropsTurn',
  'title',
] as const;

/** Whether a start goes on with a conversation. */
export function isResuming(options: QueryOptions): boolean {
  return options.resume !== undefined || options.continue === true;
}

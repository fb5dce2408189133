// The options that the keeper of a conversation sets for its sessions, such as a cluster or an attempt. An agent must not set them: they would be ignored, or would
// break what the keeper promises.
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';

const OWNED = [
  'sessionStore',
  'sessionStoreFlush',
  'projectKey',
  'resume',
  'continue',
  'forkSession',
  'sessionId',
  'resumeSessionAt',
  'resumeDropsTurn',
  'persistSession',
  'whenHostDies',
  'abortController',
] as const satisfies readonly (keyof QueryOptions)[];

/** The names of such options that an agent has set. */
export function findOwnedOptions(options: Readonly<Record<string, unknown>>): string[] {
  return OWNED.filter((option) => options[option] !== undefined);
}

// The options that the keeper of a conversation sets for its sessions, such as a cluster or an attempt. An agent must not set them:
// they would be ignored, or would break what the keeper promises.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { isRecord } from '@inboard/core/util/guards.js';

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

/** Who returned options, and who keeps the conversation, in words for errors. */
export interface AgentInWords {
  /** Such as `The agent "support"`. */
  readonly agent: string;
  /** Such as `the cluster`. */
  readonly keeper: string;
  /** The option by which the agent was given. */
  readonly option: string;
}

/** What an agent returned, as options. Throws an InvalidOptionsError for anything else, and for options that only the keeper sets. */
export function readAgentOptions(given: unknown, { agent, keeper, option }: AgentInWords): QueryOptions {
  if (!isRecord(given)) throw new InvalidOptionsError([option], `${agent} must return an object of options`);
  const owned = OWNED.filter((name) => given[name] !== undefined);
  if (owned.length === 0) return given;
  throw new InvalidOptionsError(
    owned,
    `${agent} returns ${owned.map((name) => `"${name}"`).join(', ')}, which ${keeper} sets for each conversation: leave it out`,
  );
}

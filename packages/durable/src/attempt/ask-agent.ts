// Gets the options of a session from its agent, for an attempt or for a worker of a cluster, and refuses those that only the keeper of
// the conversation may set.
import { AbortError } from '@inboard/core/errors.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { readAgentOptions, type AgentInWords } from './owned-options.js';

/** How long an agent may take. */
const LIMIT_MS = 60_000;

export interface AgentRequest {
  /** Asks the agent. The signal aborts when the options are no longer needed. */
  readonly ask: (signal: AbortSignal) => unknown;
  /** Resolves when the options are no longer needed. */
  readonly unwanted: Promise<unknown>;
  readonly words: AgentInWords;
}

/**
 * Asks the agent. Undefined if the options are no longer needed: what the agent returns after that is ignored. Rejects with the agent's
 * own error, if the agent takes too long, and with an InvalidOptionsError for options that an agent may not set.
 */
export async function askAgent({ ask, unwanted, words }: AgentRequest): Promise<QueryOptions | undefined> {
  const given = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`${words.agent} returned no options within ${LIMIT_MS} ms`));
    timer = clock.setTimeout(fail, LIMIT_MS);
  });
  const asked = (async (): Promise<unknown> => await ask(given.signal))();
  let options: unknown;
  try {
    options = await Promise.race([asked, late, unwanted.then(() => given)]);
  } catch (error) {
    given.abort(error);
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
  if (options !== given) return readAgentOptions(options, words);
  given.abort(new AbortError('The turn was ended or left'));
  return undefined;
}

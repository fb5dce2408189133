// Gets the options of an attempt's session from its agent, and refuses those that only the attempt may set.
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { AttemptAgent, AttemptContext } from './attempt-input.js';
import { readAgentOptions } from './owned-options.js';

/**
 * Asks the agent. Undefined if the options are no longer needed. Rejects with the agent's own error, and with an
 * InvalidOptionsError for options that an agent may not set.
 */
export async function askAgent(
  agent: AttemptAgent,
  context: Omit<AttemptContext, 'signal'>,
  unwanted: Promise<unknown>,
): Promise<QueryOptions | undefined> {
  const given = new AbortController();
  const { signal } = given;
  const asked = (async (): Promise<unknown> =>
    typeof agent === 'function' ? await agent({ ...context, signal }) : agent)();
  const options = await Promise.race([asked, unwanted.then(() => given)]);
  // The error of an agent that is no longer needed is ignored.
  asked.catch(() => {});
  if (options === given) {
    given.abort();
    return undefined;
  }
  return readAgentOptions(options, { agent: 'The agent', keeper: 'the attempt', option: 'agent' });
}

// Which options an agent may not set.
import { expect, it } from 'vitest';
import { readAgentOptions } from '../../src/attempt/owned-options.js';

const WORDS = { agent: 'The agent "support"', keeper: 'the cluster', option: 'agents' };

it.each([
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
])('refuses "%s", which the keeper of the conversation sets', (name) => {
  expect(() => readAgentOptions({ model: 'm', [name]: 'x' }, WORDS)).toThrow(
    expect.objectContaining({
      code: 'INVALID_OPTIONS',
      options: [name],
      message: `The agent "support" returns "${name}", which the cluster sets for each conversation: leave it out`,
    }) as Error,
  );
  const options = { model: 'm', [name]: undefined };
  expect(readAgentOptions(options, WORDS)).toBe(options);
});

it.each([undefined, null, 'options', [1]])('refuses what are no options: %j', (given) => {
  expect(() => readAgentOptions(given, WORDS)).toThrow('must return an object of options');
});

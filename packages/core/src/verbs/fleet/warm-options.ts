// Knows which options a query may give for a CLI that is already started: those that equal the pool's, and those that a request
// can still change.
import { isDeepStrictEqual } from 'node:util';
import { InvalidOptionsError } from '../../errors.js';
import { isObservedOtherwise } from '../../live/session-observer.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';

/** Options that belong to one conversation, so that no two CLIs can share them. */
export const OF_ONE_CONVERSATION = [
  'sessionId',
  'resume',
  'continue',
  'resumeSessionAt',
  'resumeDropsTurn',
] as const;

/** Options that can be changed on a started CLI, each by a request. */
const LATE: Readonly<Record<string, (value: never) => { subtype: string; [field: string]: unknown }>> = {
  model: (model: string) => ({ subtype: 'set_model', model }),
  permissionMode: (mode: string) => ({ subtype: 'set_permission_mode', mode }),
  maxThinkingTokens: (tokens: number) => ({
    subtype: 'set_max_thinking_tokens',
    max_thinking_tokens: tokens,
  }),
};

/** Throws for options that a pool cannot start several CLIs with. */
export function checkPoolOptions(options: QueryOptions): void {
  const given: string[] = OF_ONE_CONVERSATION.filter((name) => options[name] !== undefined);
  if (options.abortController !== undefined) given.push('abortController');
  if (given.length > 0) {
    throw new InvalidOptionsError(
      given,
      `A pool starts CLIs for any number of queries, but ${quote(given)} can only apply to one. ` +
        (given.includes('abortController')
          ? 'Pass the abortController to query().'
          : 'Use query() for that.'),
    );
  }
  if (options.transport !== undefined && typeof options.transport !== 'function') {
    throw new InvalidOptionsError(
      ['transport'],
      'A pool starts the CLI more than once: pass "transport" as a function that creates one each time',
    );
  }
}

/** The requests that make a warm CLI fit the options of a query. Throws for options that can no longer be changed. */
export function planLateOptions(pool: QueryOptions, wanted: QueryOptions): { subtype: string }[] {
  const requests: { subtype: string }[] = [];
  const tooLate: string[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    if (name === 'abortController' || isSame(value, pool[name as keyof QueryOptions])) continue;
    const late = LATE[name];
    // No request can take back an option that the pool has set.
    if (late && value !== undefined) requests.push(late(value as never));
    else tooLate.push(name);
  }
  if (isObservedOtherwise(wanted, pool)) tooLate.push('withTelemetry()');
  if (tooLate.length === 0) return requests;
  throw new InvalidOptionsError(
    tooLate,
    `The CLIs of this pool were started without ${quote(tooLate)}, or with another value, which cannot be changed ` +
      `on a running CLI. Use a pool with these options, or query(). A query from a pool can set ` +
      `${quote([...Object.keys(LATE), 'abortController'])}.`,
  );
}

function isSame(wanted: unknown, given: unknown): boolean {
  return wanted === given || isDeepStrictEqual(wanted, given);
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

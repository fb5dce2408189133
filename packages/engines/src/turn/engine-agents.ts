// The agents of an engine's worker by name, and one attempt at a turn with them. All adapters make their attempts here.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { callback, checkShape } from '@inboard/core/util/option-shapes.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { AttemptContext, AttemptTurnInput } from '@inboard/durable/attempt/attempt-input.js';
import { attemptTurn } from '@inboard/durable/attempt/attempt-turn.js';
import type { Ledger } from '@inboard/durable/ledger/ledger.js';
import { checkTurn, type EngineTurn } from './engine-turn.js';

/** What an agent is told about the attempt that it is asked for. */
export interface EngineAttempt extends AttemptContext {
  /** The `data` of the turn. */
  readonly data: unknown;
}

/** The options of an agent's sessions, or a function that returns them. */
export type EngineAgent = QueryOptions | ((attempt: EngineAttempt) => QueryOptions | Promise<QueryOptions>);

/** What every adapter is made with. */
export interface EngineOptions {
  /** The agents by name. Every worker of an engine needs all of them. */
  agents: Record<string, EngineAgent>;
  /** Keeps the conversations. */
  ledger: Ledger;
  /**
   * Milliseconds for which a turn must have waited only for people or pending calls, before its CLI is ended and the engine waits.
   * Default 1,000.
   */
  suspendAfterMs?: number | undefined;
  /**
   * Gets every message of every turn, in order, in the process that makes the attempt. If it returns a promise, the next message of that
   * turn waits for that. If it throws or rejects, the attempt fails and is made again. A later attempt brings what is new: messages that
   * an earlier one had are not told again.
   */
  onMessage?: ((message: SDKMessage, turn: EngineTurn) => void | Promise<void>) | undefined;
}

/** What an adapter adds to an attempt. */
export type AttemptExtras = Pick<AttemptTurnInput, 'answers' | 'signal' | 'interrupt' | 'onMessage'>;

/** Makes attempts at turns of named agents. */
export type MakeAttempt = (turn: EngineTurn, extras?: AttemptExtras) => Promise<AttemptEnd>;

/**
 * Checks the options, and returns what makes attempts with them. `of` is the function that was called with them. Tests replace `makeOne`.
 */
export function prepareAttempts(
  of: string,
  options: EngineOptions,
  makeOne: (input: AttemptTurnInput) => Promise<AttemptEnd> = attemptTurn,
): MakeAttempt {
  const { agents, ledger, suspendAfterMs, onMessage } = options;
  if (!isRecord(agents) || Object.keys(agents).length === 0)
    throw new InvalidOptionsError(['agents'], `${of} needs "agents", an object with an agent for each name`);
  for (const [name, agent] of Object.entries(agents))
    if (!isRecord(agent) && typeof agent !== 'function')
      throw new InvalidOptionsError(
        ['agents', name],
        `${of}: the agent "${name}" must be options, or a function that returns them`,
      );
  if (!isRecord(ledger) || typeof ledger['take'] !== 'function')
    throw new InvalidOptionsError(
      ['ledger'],
      `${of} needs "ledger", as createPostgresLedger() of inboard/durable/postgres makes one`,
    );
  checkShape('onMessage', onMessage, callback);
  return async (turn, extras = {}) => {
    checkTurn(of, turn);
    const { conversation, id, content, data } = turn;
    const agent = findAgent(of, agents, turn.agent);
    return await makeOne({
      ledger,
      conversation,
      turn: { id, content },
      agent: typeof agent === 'function' ? (attempt) => agent({ ...attempt, data }) : agent,
      suspendAfterMs,
      ...(onMessage && { onMessage: (message) => onMessage(message, turn) }),
      ...extras,
    });
  };
}

function findAgent(of: string, agents: Record<string, EngineAgent>, name: string): EngineAgent {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent !== undefined) return agent;
  const names = Object.keys(agents);
  const nearest = findNearestName(name, names);
  throw new InvalidOptionsError(
    ['agent'],
    `${of} was given no agent "${name}". ${nearest === undefined ? `It has ${names.map((each) => `"${each}"`).join(', ')}` : `Did you mean "${nearest}"?`}`,
  );
}

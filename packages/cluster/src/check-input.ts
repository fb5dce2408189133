// Checks the input of callers before a cluster asks its journal: names, agents, messages, and data that must be JSON.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { toUserMessage, type MessageInput } from '@inboard/core/live/input/user-message.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { findJsonProblem } from '@inboard/core/util/json-problem.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import {
  callback,
  checkShape,
  inWords,
  record,
  requireShape,
  shape,
} from '@inboard/core/util/option-shapes.js';
import { checkName } from './journal/check-names.js';
import type { ConversationFacts, Json } from './journal/records.js';
import { checkBudgets } from './limits/budgets.js';
import type { Agents } from './work/host/agents.js';
import { refuseUnknownOptions } from '@inboard/core/util/options-object.js';
import { clock } from '@inboard/core/util/system/clock.js';

const AGENTS = shape(
  'an object with at least one agent: { support: (conversation) => ({ systemPrompt: "…" }) }',
  (value) => isRecord(value) && Object.keys(value).length > 0,
);
const AGENT = inWords('a function from a conversation to its options', callback);
const START = inWords('an object: { agent, data, tenant }', record);
const TIME = shape('a valid Date, or a time in milliseconds since 1970', (value) =>
  Number.isFinite(value instanceof Date ? value.getTime() : value),
);

const OPTIONS = ['agents', 'journal', 'dispatcher', 'budgets', 'telemetry', 'onTrouble'];

/** Throws an InvalidOptionsError for input that no cluster can be made of. */
export function checkClusterInput(input: unknown): void {
  if (!isRecord(input))
    throw new InvalidOptionsError(['agents'], 'createCluster() takes an object: { agents, … }');
  refuseUnknownOptions('createCluster()', input, OPTIONS);
  const { agents, journal, dispatcher, budgets, telemetry, onTrouble } = input;
  requireShape('agents', agents, AGENTS);
  for (const [name, agent] of Object.entries(agents as object)) {
    checkName('agents', name);
    requireShape(`agents.${name}`, agent, AGENT, { called: `The agent "${name}"` });
  }
  checkPart('journal', journal, ['open', 'enqueue', 'lease'], 'memoryJournal() or postgresJournal()');
  checkPart('dispatcher', dispatcher, ['wake', 'work'], 'memoryDispatcher() or bullmqDispatcher()');
  checkPart('telemetry', telemetry, ['send', 'turn'], 'clusterTelemetry() of inboard/otel');
  checkShape('onTrouble', onTrouble, callback);
  checkBudgets(budgets);
}

function checkPart(name: string, part: unknown, methods: readonly string[], maker: string): void {
  const made = shape(
    `what ${maker} returns.`,
    (value) => isRecord(value) && methods.every((method) => typeof value[method] === 'function'),
  );
  checkShape(name, part, made, {
    end: (value) => (value instanceof Promise ? ' It is a promise: await it.' : ''),
  });
}

/** Checks the description of a conversation. Returns undefined if none was given. */
export function readConversationStart(start: unknown, agents: Agents): ConversationFacts | undefined {
  if (start === undefined) return undefined;
  requireShape('start', start, START, { called: 'The description of a conversation' });
  const { agent, data = null, tenant, ...others } = start as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new InvalidOptionsError(
      [unknown],
      `A conversation has no "${unknown}": it has "agent", "data" and "tenant". What the agent needs to know belongs in "data".`,
    );
  }
  checkAgent(agent, agents);
  if (tenant !== undefined) checkName('tenant', tenant);
  refuseNonJson(data, 'data');
  return {
    agent: agent as string,
    data: data as Json,
    ...(tenant !== undefined && { tenant: tenant as string }),
  };
}

function checkAgent(agent: unknown, agents: Agents): void {
  if (typeof agent === 'string' && Object.hasOwn(agents, agent)) return;
  const names = Object.keys(agents);
  const nearest = typeof agent === 'string' ? findNearestName(agent, names) : undefined;
  const hint =
    nearest === undefined
      ? `There ${names.length === 1 ? 'is' : 'are'} ${names.map((name) => `"${name}"`).join(', ')}.`
      : `Did you mean "${nearest}"?`;
  if (agent === undefined)
    throw new InvalidOptionsError(['agent'], `A conversation needs an "agent". ${hint}`);
  throw new InvalidOptionsError(['agent'], `There is no agent ${JSON.stringify(agent)}. ${hint}`);
}

/** The content of a message as a turn stores it, and the message's own id if it has one. */
export function readMessageContent(message: MessageInput): { content: Json; uuid?: string } {
  if (message === '')
    throw new InvalidOptionsError(['message'], 'The message is empty, which the API rejects');
  const whole = toUserMessage(message);
  const { content } = whole.message;
  refuseNonJson(content, 'message');
  if (typeof message === 'string') return { content: message };
  const isWhole = !Array.isArray(message);
  // The journal stores only the content. A field that would be lost silently is refused instead.
  const lost = isWhole
    ? Object.keys(message).filter((field) => !CARRIED.has(field) && hasMeaning(message, field))
    : [];
  if (lost.length > 0) {
    throw new InvalidOptionsError(
      lost,
      `A message of a cluster cannot have ${lost.map((field) => `"${field}"`).join(', ')}: only its content and its "uuid" are stored`,
    );
  }
  const uuid = isWhole ? (message as { uuid?: string }).uuid : undefined;
  return { content: content as Json, ...(uuid !== undefined && { uuid }) };
}

const CARRIED = new Set(['type', 'message', 'uuid', 'session_id']);

function hasMeaning(message: object, field: string): boolean {
  const value = (message as Record<string, unknown>)[field];
  return value !== undefined && value !== null && !(field === 'shouldQuery' && value === true);
}

/** Milliseconds from now until a time by this process's clock. Undefined if no time was given, or if it is past. */
export function readDelay(notBefore: unknown): number | undefined {
  if (notBefore === undefined) return undefined;
  requireShape('notBefore', notBefore, TIME);
  const ms = Number(notBefore) - clock.Date.now();
  return ms > 0 ? Math.ceil(ms) : undefined;
}

/** Throws an InvalidOptionsError for a value that JSON cannot carry. The error names its path. */
export function refuseNonJson(value: unknown, name: string): void {
  const problem = findJsonProblem(value, name);
  if (problem !== undefined)
    throw new InvalidOptionsError([name], `${problem}, which JSON cannot carry to another process`);
}

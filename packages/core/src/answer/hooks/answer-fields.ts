// The fields of a hook's answer: which of them an event has, and whether the CLI can read their values.
import { hasFields } from '../../util/guards.js';
import { withoutNulls } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { AsyncHookJSONOutput, SyncHookJSONOutput } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import type { AnswerFieldKind } from '../../wire/protocol/hooks/hook-facts.js';

type CommonField = keyof SyncHookJSONOutput | keyof AsyncHookJSONOutput;

/** The fields that the answer to any event may have. */
const COMMON_FIELDS: Readonly<Record<string, AnswerFieldKind>> = {
  async: 'boolean',
  asyncTimeout: 'number',
  continue: 'boolean',
  suppressOutput: 'boolean',
  stopReason: 'string',
  decision: ['approve', 'block'],
  reason: 'string',
  systemMessage: 'string',
  terminalSequence: 'string',
  hookSpecificOutput: 'object',
} satisfies Record<CommonField, AnswerFieldKind>;

/** Fields that decide nothing by themselves. They explain other fields, or contain them, as `hookSpecificOutput` does. */
const ACCOMPANYING = new Set(['async', 'asyncTimeout', 'stopReason', 'reason', 'hookSpecificOutput']).add(
  'permissionDecisionReason',
);

const DECISION_FIELDS: Readonly<Record<string, AnswerFieldKind>> = {
  behavior: ['allow', 'deny'],
  updatedInput: 'object',
  updatedPermissions: 'list',
  message: 'string',
  interrupt: 'boolean',
  // A permission result has these fields. A hook's decision does not need them.
  toolUseID: 'anything',
  decisionClassification: 'anything',
};

/** What is wrong with a decision object, as in `"message": 5; expected a string`. */
export function findDecisionProblem(decision: WireObject): string | undefined {
  if (decision['behavior'] === undefined) return '"behavior" is missing; expected "allow" or "deny"';
  return findFieldProblem(DECISION_FIELDS, decision);
}

/** The first field that the CLI could not read, in words for the author of the hook; undefined when there is none. */
export function findOutputProblem(event: string, output: WireObject): string | undefined {
  const problem = findFieldProblem(COMMON_FIELDS, output);
  const specific = output['hookSpecificOutput'];
  if (problem !== undefined || !hasFields(specific)) return problem;
  const name = specific['hookEventName'];
  if (name !== undefined && name !== null && name !== event)
    return `"hookEventName": ${describeValue(name)} in answer to ${event}; expected "${event}"`;
  return findFieldProblem(findHookEvent(event)?.accepts ?? {}, withoutNulls(specific));
}

/** The fields of an answer that the event does not have. */
export function pickUnknown(event: string, output: WireObject): WireObject {
  const facts = findHookEvent(event);
  const unknown = omit(output, COMMON_FIELDS);
  const given = output['hookSpecificOutput'];
  // The inner fields cannot be judged when the event is not known here.
  if (!facts || !hasFields(given)) return unknown;
  const specific = omit(withoutNulls(given), { ...facts.accepts, hookEventName: 'string' });
  return Object.keys(specific).length === 0 ? unknown : { ...unknown, hookSpecificOutput: specific };
}

/** Whether an answer has a known field that means something by itself. */
export function hasMeaning(event: string, output: WireObject): boolean {
  const given = output['hookSpecificOutput'];
  const specific = hasFields(given) ? withoutNulls(given) : {};
  return (
    hasKnown(output, COMMON_FIELDS) || hasKnown(specific, findHookEvent(event)?.accepts ?? { ...specific })
  );
}

/** The reason for a decision, from whichever field has one. */
export function findReason(output: WireObject): string | undefined {
  const given = output['hookSpecificOutput'];
  const specific = hasFields(given) ? given : {};
  const reasons = [output['reason'], output['stopReason'], specific['permissionDecisionReason']];
  return reasons.find((reason) => typeof reason === 'string');
}

function hasKnown(fields: WireObject, known: object): boolean {
  return Object.keys(fields).some((field) => Object.hasOwn(known, field) && !ACCOMPANYING.has(field));
}

/** The names of the fields that `pickUnknown` found, with their path inside `hookSpecificOutput`. */
export function nameFields(unknown: WireObject): string[] {
  return Object.entries(unknown).flatMap(([field, value]) =>
    field === 'hookSpecificOutput' && hasFields(value)
      ? Object.keys(value).map((inner) => `"hookSpecificOutput.${inner}"`)
      : `"${field}"`,
  );
}

function omit(fields: WireObject, known: object): WireObject {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(known, field)));
}

function findFieldProblem(
  kinds: Readonly<Record<string, AnswerFieldKind>>,
  fields: WireObject,
): string | undefined {
  for (const [field, kind] of Object.entries(kinds)) {
    const value = fields[field];
    if (value === undefined) continue;
    const expected = findMismatch(kind, value);
    if (expected !== undefined) return `"${field}": ${describeValue(value)}; expected ${expected}`;
  }
  return undefined;
}

/** What is expected in place of a value; undefined when the value fits. */
function findMismatch(kind: AnswerFieldKind, value: unknown): string | undefined {
  if (typeof kind !== 'string') return kind.includes(value as string) ? undefined : listValues(kind);
  const { fits, expected } = KINDS[kind];
  return fits(value) ? undefined : expected;
}

const KINDS: Record<
  Exclude<AnswerFieldKind, readonly string[]>,
  { fits: (value: unknown) => boolean; expected: string }
> = {
  anything: { fits: () => true, expected: '' },
  boolean: { fits: (value) => typeof value === 'boolean', expected: 'a boolean' },
  number: { fits: (value) => typeof value === 'number' && Number.isFinite(value), expected: 'a number' },
  string: { fits: (value) => typeof value === 'string', expected: 'a string' },
  object: { fits: hasFields, expected: 'an object' },
  list: { fits: (value) => Array.isArray(value), expected: 'a list' },
  strings: {
    fits: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
    expected: 'a list of strings',
  },
  'permission decision': {
    fits: (value) => hasFields(value) && findDecisionProblem(withoutNulls(value)) === undefined,
    expected: '{ behavior: "allow", updatedInput } or { behavior: "deny", message }',
  },
};

function listValues(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`);
  return quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ');
}

/** A value as messages name it. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return describeObject(value);
  if (typeof value === 'function') return 'a function';
  return String(value);
}

function describeObject(value: object): string {
  const { name } = (value.constructor ?? Object) as { name?: unknown };
  return typeof name === 'string' && name !== 'Object' && name !== ''
    ? `an object of class ${name}`
    : 'an object';
}

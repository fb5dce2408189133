// Checks a fact and makes it plain JSON that shares no part with the caller's object. For all `CallRecords`.
import { stringifyDeep } from '../../util/deep-json.js';
import { isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import { copyPlainJson } from '../../util/plain-json.js';
import type { CallFact } from '../../wire/protocol/config/call-records.js';

/** The fields that must be texts, for each type of fact. Readers skip types that are not here. */
const REQUIRED: Readonly<Record<CallFact['type'], readonly string[]>> = {
  covers: ['message'],
  asked: ['callKey', 'toolName'],
  answered: ['callKey'],
  begun: ['callKey', 'toolName', 'owner'],
  waiting: ['callKey'],
  working: ['callKey'],
  left: ['callKey'],
  pending: ['callKey'],
  progress: ['callKey'],
  ended: ['callKey'],
  withdrawn: ['callKey'],
};

/** The fields that must be objects, for each type of fact. */
const OBJECTS: Readonly<Partial<Record<CallFact['type'], readonly string[]>>> = {
  asked: ['input', 'question'],
  answered: ['answer'],
  begun: ['input'],
  ended: ['result'],
};

export function isFactType(type: unknown): type is CallFact['type'] {
  return typeof type === 'string' && Object.hasOwn(REQUIRED, type);
}

/** Whether a value that was read is a fact that this version knows. */
export function isFact(value: unknown): value is CallFact {
  if (!isRecord(value)) return false;
  const { type } = value;
  if (!isFactType(type)) return false;
  return (
    Number.isFinite(value['at']) &&
    REQUIRED[type].every((name) => typeof value[name] === 'string') &&
    (OBJECTS[type] ?? []).every((name) => isRecord(value[name])) &&
    (type !== 'begun' || Number.isSafeInteger(value['attempt'])) &&
    (type !== 'progress' || Number.isFinite(value['progress']))
  );
}

/** The JSON of a fact. Throws a TypeError for a value that is no fact, or has no JSON. */
export function encodeFact(fact: CallFact): string {
  let text: string | undefined;
  try {
    text = stringifyDeep(fact);
  } catch (error) {
    throw new TypeError(`${describeFact(fact)} cannot be recorded, it has no JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (text === undefined || !isFact(fact))
    throw new TypeError(`${describeFact(fact)} cannot be recorded: it is not a fact about a call`);
  return text;
}

/** A copy of a fact, equal to its JSON. Throws a TypeError for a value that is no fact, or has no JSON. */
export function copyFact(fact: CallFact): CallFact {
  const copy = copyPlainJson(fact) ?? JSON.parse(encodeFact(fact));
  if (!isFact(copy))
    throw new TypeError(`${describeFact(fact)} cannot be recorded: it is not a fact about a call`);
  return copy;
}

function describeFact(fact: unknown): string {
  const { type, callKey } = (isRecord(fact) ? fact : {}) as { type?: unknown; callKey?: unknown };
  return `The fact ${JSON.stringify(type) ?? 'without a type'} about the call ${JSON.stringify(callKey) ?? 'without a key'}`;
}

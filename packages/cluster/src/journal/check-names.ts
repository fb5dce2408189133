// Checks names and numbers for every journal. Refuses names that a database cannot store unchanged. The longest key and the
// longest turn id still fit together into one index of a database.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import {
  checkShape,
  fields,
  inWords,
  milliseconds,
  notGiven,
  requireShape,
  shape,
  anyText,
} from '@inboard/core/util/option-shapes.js';

/** The longest key of a conversation, in UTF-16 units. */
const MAX_KEY_LENGTH = 500;
/** The longest name of a turn, tenant, owner, question or call. */
export const MAX_NAME_LENGTH = 200;

/** The advice in the error for a message to a conversation that does not exist. */
export const FIRST_MESSAGE_HINT =
  ' Give its agent with the first message: cluster.conversation(key, { agent }).send(message).';

/** Refuses a key that cannot be stored. */
export function checkKey(key: unknown): void {
  checkName('key', key, MAX_KEY_LENGTH);
}

/** Refuses a name that cannot be stored. */
export function checkName(what: string, name: unknown, maxLength = MAX_NAME_LENGTH): void {
  const fault = findFault(name, maxLength);
  if (fault !== undefined) throw new InvalidOptionsError([what], `"${what}" ${fault}`);
}

/** The longest name of somebody who does something. */
const MAX_BY_LENGTH = 1000;
const BY = shape(
  `a string of 1 to ${MAX_BY_LENGTH} characters that says who does this`,
  (value) => typeof value === 'string' && value !== '' && value.length <= MAX_BY_LENGTH,
);

/** Refuses a name of a caller that is not a text, or too long for the audit. */
export function checkBy(by: unknown): void {
  checkShape('by', by, BY, {
    end: (value) => (typeof value === 'string' ? `, and has ${value.length}` : `, not ${typeof value}`),
  });
}

export function checkMs(what: string, ms: unknown): void {
  requireShape(what, ms, inWords('a number of milliseconds', milliseconds), { end: notGiven });
}

const LIMIT = shape(
  'a whole number of at least 1',
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
);

export function checkLimit(limit: unknown): void {
  checkShape('limit', limit, LIMIT, {
    end: (value) => `, not ${typeof value === 'number' ? value : typeof value}`,
  });
}

/** Refuses an `after` that is not a question. */
export function checkAfter(after: unknown): void {
  checkShape('after', after, LISTED);
}

const LISTED = fields('a question that was listed, or an object with its "askedAt" and "id"', {
  askedAt: shape('a time', Number.isFinite),
  id: anyText,
});

/** Refuses a value that JSON cannot carry completely. */
export function checkJson(what: string, value: unknown): void {
  let text: unknown;
  try {
    text = stringifyDeep(value);
  } catch (cause) {
    throw new InvalidOptionsError([what], `"${what}" cannot be written as JSON`, { cause });
  }
  if (text === undefined)
    throw new InvalidOptionsError(
      [what],
      `"${what}" is of type ${typeof value}, which JSON cannot represent`,
    );
}

function findFault(name: unknown, maxLength: number): string | undefined {
  if (typeof name !== 'string') return `must be a string, not ${name === null ? 'null' : typeof name}`;
  if (name === '') return 'must not be empty';
  if (name.length > maxLength)
    return `must have at most ${maxLength} characters, but has ${name.length}: "${name.slice(0, 40)}…"`;
  if (name.includes('\0')) return 'must not contain a NUL character, which databases cannot store';
  // A lone surrogate cannot be written as UTF-8.
  if (/\p{Surrogate}/u.test(name)) return 'must be well-formed Unicode, but contains a lone surrogate';
  return undefined;
}

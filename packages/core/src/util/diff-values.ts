// Finds where two JSON values differ, field by field, and says it in a few words. The effort is bounded.
import { toOneLine } from './bounded-text.js';
import { stringifyDeep } from './deep-json.js';
import { isRecord } from './guards.js';

/** One place where two values differ; undefined on a side that has no value there. */
export interface ValueChange {
  path: readonly (string | number)[];
  left: unknown;
  right: unknown;
}

const MOST_CHANGES = 40;
const DEEPEST = 12;

/** Where two JSON values differ, at most 40 places. */
export function diffValues(left: unknown, right: unknown): ValueChange[] {
  const changes: ValueChange[] = [];
  collect(left, right, [], changes);
  return changes;
}

function collect(
  left: unknown,
  right: unknown,
  path: readonly (string | number)[],
  changes: ValueChange[],
): void {
  if (changes.length >= MOST_CHANGES || Object.is(left, right)) return;
  const names = path.length < DEEPEST ? namesOf(left, right) : undefined;
  if (names === undefined) {
    if (stringifyDeep(left) !== stringifyDeep(right)) changes.push({ path, left, right });
    return;
  }
  for (const name of names) {
    const [one, other] = [valueAt(left, name), valueAt(right, name)];
    collect(one, other, [...path, name], changes);
  }
}

/** The field names of two objects, or the indexes of two lists; undefined for anything else. */
function namesOf(left: unknown, right: unknown): (string | number)[] | undefined {
  if (Array.isArray(left) && Array.isArray(right))
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index);
  if (!isRecord(left) || !isRecord(right)) return undefined;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])];
}

function valueAt(value: unknown, name: string | number): unknown {
  return Object.hasOwn(value as object, name) ? (value as Record<string | number, unknown>)[name] : undefined;
}

const MOST_NAMED = 4;
const VALUE_CHARACTERS = 40;

/** What was changed in a value, in a few words: `amount: 84 → 50, note: not given → "late"`. Empty if nothing was. */
export function describeChanges(before: unknown, after: unknown): string {
  const changes = diffValues(before, after);
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ path, left, right }) => `${path.join('.')}: ${shortValue(left)} → ${shortValue(right)}`);
  if (changes.length > MOST_NAMED) named.push(`and ${changes.length - MOST_NAMED} more`);
  return named.join(', ');
}

/** A value on a short line. */
export function shortValue(value: unknown): string {
  return value === undefined ? 'not given' : toOneLine(stringifyDeep(value) ?? '', VALUE_CHARACTERS);
}

// Refuses arguments that JavaScript would silently ignore: a misspelled option (with "jurnal", a cluster would stay in
// memory), a second argument of a function that takes one, and a text in place of an object. The compiler does not see
// such mistakes in a spread.
import { InvalidOptionsError } from '../errors.js';
import { isRecord } from './guards.js';
import { findNearestName } from './nearest-name.js';

/** Describes a function that takes one object. */
export interface ObjectTaker {
  /** The function's name with brackets, for messages. */
  of: string;
  /** A correct call, for messages. */
  example: string;
  known: readonly string[];
}

/** Throws an InvalidOptionsError unless the only argument is an object with only known options. */
export function checkOptionsObject(
  options: unknown,
  others: readonly unknown[],
  { of, example, known }: ObjectTaker,
): void {
  refuseFurtherArguments(others, { of, example });
  if (!isRecord(options))
    throw new InvalidOptionsError([], `${of} takes an object, not ${nameKind(options)}: ${example}`);
  refuseUnknownOptions(of, options, known);
}

/** Throws an InvalidOptionsError for a second argument. A number is allowed, because `map` passes an index. */
export function refuseFurtherArguments(
  others: readonly unknown[],
  { of, example }: Pick<ObjectTaker, 'of' | 'example'>,
): void {
  const [second] = others;
  if (second === undefined || typeof second === 'number') return;
  throw new InvalidOptionsError(
    isRecord(second) ? Object.keys(second) : [],
    `${of} takes one argument and would ignore the second. Pass everything in one object: ${example}`,
  );
}

/**
 * Finds the options of a function that takes them as its first argument, or as its second argument after a subject.
 * Throws an InvalidOptionsError for arguments that would be ignored: options after a value that is not a subject, and
 * options that are not an object. A number as second argument is allowed, because `map` passes an index.
 */
export function findOptions(
  given: readonly [first: unknown, second?: unknown, ...rest: unknown[]],
  { of, subject, isSubject, example }: { of: string; subject: string; isSubject: boolean; example: string },
): object {
  const [first, second] = given;
  const behind = typeof second === 'number' ? undefined : second;
  if (!isSubject && behind !== undefined)
    throw new InvalidOptionsError(
      isRecord(behind) ? Object.keys(behind) : [],
      `${of} would ignore its second argument, because the first is not ${subject} but ${nameKind(first)}. Without one, the options come first: ${example}`,
    );
  const options = (isSubject ? behind : first) ?? {};
  if (!isRecord(options) || Array.isArray(options) || (isSubject ? behind : first) === null)
    throw new InvalidOptionsError(
      [isSubject ? 'options' : 'target'],
      `${of} takes ${subject}, its options, or both, not ${nameKind(isSubject ? second : first)}: ${example}`,
    );
  return options;
}

/** Throws an InvalidOptionsError for an unknown option, unless its value is undefined. */
export function refuseUnknownOptions(of: string, given: object, known: readonly string[]): void {
  const unknown = Object.entries(given).find(([name, value]) => value !== undefined && !known.includes(name));
  if (!unknown) return;
  const [name] = unknown;
  const nearest = findNearestName(name, known);
  const hint =
    nearest === undefined
      ? `Its options are ${known.map((option) => `"${option}"`).join(', ')}.`
      : `Did you mean "${nearest}"?`;
  throw new InvalidOptionsError([name], `${of} has no option "${name}". ${hint}`);
}

/** The kind of a value, for a sentence: "a list", "an object", "null". */
export function nameKind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

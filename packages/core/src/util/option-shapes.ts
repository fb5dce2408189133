// The shapes of option values, and the error for a value of another shape. A shape that only one option has is in the
// file that checks that option.
import { InvalidOptionsError } from '../errors.js';
import { isGiven, isRecord } from './guards.js';

/** A test of a value, and a description of the values that pass it. */
export interface OptionShape {
  /** Completes the sentence "The option must be …". */
  expected: string;
  fits(value: unknown): boolean;
  /** The first wrong entry, for shapes that have entries. */
  findCulprit?(value: unknown): string | undefined;
  /**
   * Returns the value that is meant by a value of another type, or undefined if that value asks for nothing. Programs
   * without types write such values, and the official SDK accepts them. As a rule, the caller is warned of them.
   */
  read?(value: unknown): unknown;
}

export function shape(expected: string, fits: (value: unknown) => boolean): OptionShape {
  return { expected, fits };
}

/** The words of an error before and after the description of the shape. */
export interface Saying {
  /** The beginning of the sentence. Default: the name of the option in quotation marks. */
  called?: string;
  /** The text after the shape. Default: none. */
  end?: (value: unknown) => string;
}

/** Throws an InvalidOptionsError, "… must be …", unless the value fits. */
export function requireShape(option: string, value: unknown, wanted: OptionShape, saying: Saying = {}): void {
  if (wanted.fits(value)) return;
  const { called = `"${option}"`, end } = saying;
  throw new InvalidOptionsError([option], `${called} must be ${wanted.expected}${end?.(value) ?? ''}`);
}

/** Like `requireShape`, for an option that may be left out. */
export function checkShape(option: string, value: unknown, wanted: OptionShape, saying?: Saying): void {
  if (value !== undefined) requireShape(option, value, wanted, saying);
}

/** The end of a sentence that quotes the given value. */
export const notGiven = (value: unknown): string => `, not ${String(value)}`;

export const anyText = shape('a string', (value) => typeof value === 'string');
export const texts = shape('a list of strings', isTextList);
export const path = shape('a path', (value) => typeof value === 'string' && value !== '');
export const filledText = inWords('a string that is not empty', path);
export const callback = shape('a function', (value) => typeof value === 'function');
export const record = shape('an object', isRecord);
export const anyList = shape('a list', (value) => Array.isArray(value));
export const strictFlag = shape('true or false', (value) => typeof value === 'boolean');
/** Any truthy value switches the flag on. */
export const flag: OptionShape = { ...strictFlag, read: Boolean };
export const count: OptionShape = {
  ...shape('a whole number, 0 or more', (value) => Number.isSafeInteger(value) && (value as number) >= 0),
  read: (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
};
export const milliseconds = shape(
  'a finite number of milliseconds, 0 or more',
  (value) => Number.isFinite(value) && (value as number) >= 0,
);
export const notNegative = shape('a number, 0 or more', (value) => typeof value === 'number' && value >= 0);
export const bytes = shape('a number of bytes above 0', (value) => typeof value === 'number' && value > 0);
export const preset = fields("{ type: 'preset', preset: 'claude_code' }", {
  type: oneOf('preset'),
  preset: oneOf('claude_code'),
});

/** A whole number of at least `least` and at most `most`. */
export function wholeNumber(least: number, most = Infinity): OptionShape {
  const expected =
    most === Infinity ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`;
  return shape(
    expected,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

/** The same shape with another description. */
export function inWords(expected: string, wanted: OptionShape): OptionShape {
  return shape(expected, (value) => wanted.fits(value));
}

export function oneOf(...values: string[]): OptionShape {
  const expected = values.map((value) => `'${value}'`).join(' or ');
  return shape(expected, (value) => values.includes(value as string));
}

export function either(...shapes: OptionShape[]): OptionShape {
  const expected = shapes.map((one) => one.expected).join(' or ');
  return shape(expected, (value) => shapes.some((one) => one.fits(value)));
}

export function optional(given: OptionShape): OptionShape {
  return shape(given.expected, (value) => value === undefined || given.fits(value));
}

export function listOf(expected: string, item: OptionShape): OptionShape {
  return shape(expected, (value) => Array.isArray(value) && value.every((entry) => item.fits(entry)));
}

/** An object with these fields, and perhaps others. */
export function fields(expected: string, shapes: Record<string, OptionShape>): OptionShape {
  const names = Object.keys(shapes);
  return shape(
    expected,
    (value) => isRecord(value) && names.every((name) => shapes[name]?.fits(value[name])),
  );
}

/** An object in which every entry fits. */
export function entries(expected: string, fits: (value: unknown, name: string) => boolean): OptionShape {
  const findCulprit = (value: unknown): string | undefined =>
    isRecord(value) ? Object.keys(value).find((name) => !fits(value[name], name)) : undefined;
  return { expected, findCulprit, fits: (value) => isRecord(value) && findCulprit(value) === undefined };
}

/** Leaves out entries whose value is undefined or null, because they ask for nothing. */
export function dropEmptyEntries(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, entry]) => isGiven(entry));
  return kept.length === Object.keys(value).length ? value : Object.fromEntries(kept);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

// Checks the option names of methods. A filter with a misspelled name would match everything, and a misspelled option
// would mean its default. Each object with such methods has one table, which the compiler keeps complete.
import { InvalidOptionsError } from '../errors.js';
import { isRecord } from './guards.js';
import { nameKind, refuseUnknownOptions } from './options-object.js';

/** All names of an object type. The compiler reports a missing one. */
export type OptionNames<T> = { readonly [Name in T extends unknown ? keyof T : never]-?: true };

/** The names of one object that a method takes. */
export const optionNamesOf = <T extends object>(names: OptionNames<T>): readonly string[] =>
  Object.keys(names);

/** Throws an InvalidOptionsError unless the value is undefined, or an object with only known names. */
export function checkOptionNames(of: string, given: unknown, known: readonly string[]): void {
  if (given === undefined) return;
  if (!isRecord(given) || Array.isArray(given))
    throw new InvalidOptionsError(
      [],
      `${of} takes an object with ${known.map((name) => `"${name}"`).join(', ')}, not ${nameKind(given)}`,
    );
  refuseUnknownOptions(of, given, known);
}

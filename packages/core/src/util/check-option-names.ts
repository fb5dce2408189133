// Checks the names in the options of methods. Otherwise a filter with a misspelled name would match everything, and a
// misspelled option would be ignored. The names are in tables, whose completeness the compiler checks.
import { InvalidOptionsError } from '../errors.js';
import { isRecord } from './guards.js';
import { nameKind, refuseUnknownOptions } from './options-object.js';

/** An object with all names of a type. The compiler reports a missing name. */
export type OptionNames<T> = { readonly [Name in T extends unknown ? keyof T : never]-?: true };

/** The list of names that an options object of type `T` may have. */
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

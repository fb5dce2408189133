// The objects that the methods of something take, each with its names: a filter with a misspelt name would mean everything, and an
// option with one its default. One table for each thing that has such methods; the compiler sees to it that it is complete.
import { InvalidOptionsError } from '../errors.js';
import { isRecord } from './guards.js';
import { nameKind, refuseUnknownOptions } from './options-object.js';

/** All names of an object, of which the compiler knows when one is missing. */
export type OptionNames<T> = { readonly [Name in T extends unknown ? keyof T : never]-?: true };

/** The names of one object that a method takes. */
export const namesOf = <T extends object>(names: OptionNames<T>): readonly string[] => Object.keys(names);

/** Throws an InvalidOptionsError unless nothing is given, or an object with nothing but known names. */
export function checkOptionNames(of: string, given: unknown, known: readonly string[]): void {
  if (given === undefined) return;
  if (!isRecord(given) || Array.isArray(given))
    throw new InvalidOptionsError(
      [],
      `${of} takes an object with ${known.map((name) => `"${name}"`).join(', ')}, not ${nameKind(given)}`,
    );
  refuseUnknownOptions(of, given, known);
}

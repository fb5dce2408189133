// Absent options: `undefined` and `null` both mean that the caller did not ask.
import { isGiven } from '../util/guards.js';
import { readLooseValue } from './loose-values.js';
import type { Options } from './options.js';

/** The options that were really given, as they are meant; plain JavaScript callers write `null` for "none". */
export function pickGiven(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [name, readLooseValue(name, value)] as const)
      .filter(([, value]) => isGiven(value)),
  );
}

// Checks redaction options, for every function that takes them. An option with a misspelled name would hide nothing, and
// a value of the wrong kind would break the recording later. Both mistakes are found before anything is written.
import { InvalidOptionsError } from '../errors.js';
import { isRecord, isThenable } from './guards.js';
import { findNearestName } from './nearest-name.js';
import {
  callback,
  either,
  inWords,
  listOf,
  notNegative,
  shape,
  anyText,
  type OptionShape,
} from './option-shapes.js';
import { nameKind } from './options-object.js';

const form = shape('a regular expression', (value) => value instanceof RegExp);

const RULES: Readonly<Record<string, OptionShape>> = {
  fields: listOf(
    "a list of field names or regular expressions, such as ['pin', /^card/i]",
    either(anyText, form),
  ),
  patterns: listOf('a list of regular expressions, such as [/\\b\\d{16}\\b/]', form),
  values: listOf("a list of texts, such as ['4711-0815']", anyText),
  text: inWords('a function from a text to a text', callback),
  maxCharacters: inWords('a number of characters, 0 or more', notNegative),
};

/** What is wrong with the options, as a sentence; undefined if they are valid, `false` or not given. */
export function findRedactProblem(redact: unknown): string | undefined {
  if (redact === undefined || redact === false) return undefined;
  if (!isRecord(redact) || isThenable(redact))
    return `"redact" must be false, or an object such as { values: ['4711-0815'] }, not ${nameKind(redact)}`;
  for (const [name, value] of Object.entries(redact)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (!rule) return `"redact" has no field "${name}". ${suggest(name)}`;
    if (!rule.fits(value))
      return `"redact.${name}" must be ${rule.expected}${isList(value) ? '' : `, not ${nameKind(value)}`}`;
  }
  return undefined;
}

/** Throws an InvalidOptionsError if the options are not valid. `where` begins its message. */
export function checkRedact(redact: unknown, where: string): void {
  const problem = findRedactProblem(redact);
  if (problem !== undefined) throw new InvalidOptionsError(['redact'], `${where}: ${problem}`);
}

function suggest(name: string): string {
  const known = Object.keys(RULES);
  const nearest = findNearestName(name, known);
  return nearest === undefined
    ? `It has ${known.map((each) => `"${each}"`).join(', ')}`
    : `Did you mean "${nearest}"?`;
}

const isList = (value: unknown): boolean => Array.isArray(value);

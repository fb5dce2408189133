// Reads types written as text, for programs without a schema library. Examples are 'string', 'number?', 'string[]',
// "'a' | 'b'", 'string | null', 'integer = 20' and 'integer?: how many'. The compiler reads the same grammar in `infer-text`.
import type { Conversion } from './conversion.js';
import type { JsonSchema } from './compiled-schema.js';
import type { StandardSchema } from './standard-schema.js';
import { check, parseAtom, parseLiteral, uniteAtoms, type Atom } from './shorthand-atom.js';

/** A field written as text, as a schema that validates and as a JSON Schema. */
export interface ShorthandField {
  schema: StandardSchema;
  json: JsonSchema;
}

/** Reads one field of a shorthand shape. */
export function parseShorthand(text: string, conversion: Conversion): ShorthandField {
  const { type, description } = splitField(text);
  const field = knownTypes.get(type) ?? parseType(type, text, conversion);
  return description === undefined ? field : { ...field, json: { ...field.json, description } };
}

// A program has many fields but few different types. For 10,000 tools with three fields each, reading each type once
// saves half of the time. The limit protects programs that generate ever new types.
const knownTypes = new Map<string, ShorthandField>();
const MAX_KNOWN_TYPES = 1000;

function parseType(text: string, field: string, conversion: Conversion): ShorthandField {
  const [before, given] = splitAt('=', text);
  const isOptional = given === undefined && before.endsWith('?');
  const type = isOptional ? before.slice(0, -1).trim() : before;
  const union = uniteAtoms(splitUnion(type).map((part) => parseAtom(part, field, conversion)));
  const absent = given === undefined ? undefined : readDefault(given, union, field, conversion);
  const parsed: ShorthandField = {
    json: given === undefined ? union.json : { ...union.json, default: absent },
    schema: {
      '~standard': {
        vendor: 'shorthand',
        validate: (value) =>
          value === undefined && (isOptional || given !== undefined)
            ? { value: absent }
            : check(union, value),
      },
    },
  };
  if (knownTypes.size < MAX_KNOWN_TYPES) knownTypes.set(text, parsed);
  return parsed;
}

/** The value of a field that is left out. It must be one that the field accepts. */
function readDefault(text: string, union: Atom, field: string, conversion: Conversion): unknown {
  const literal = parseLiteral(text);
  if (!literal)
    return conversion.fail(
      `is "${field}", where "${text}" is not a default. Use 'a text', a number, true, false or null.`,
    );
  const issue = check(union, literal.value).issues?.[0]?.message;
  return issue === undefined
    ? literal.value
    : conversion.fail(`is "${field}", whose default does not fit its type. ${issue}.`);
}

// A colon or a bar inside quotes belongs to the literal.
const OUTSIDE_QUOTES = /'[^']*'|"[^"]*"|[^'"]/g;
const QUOTED_OR_MARK = /'[^']*'|"[^"]*"|[:=]/g;

function splitField(text: string): { type: string; description?: string } {
  const [type, description] = splitAt(':', text);
  return description === undefined ? { type } : { type, description };
}

/** What is before and after the first mark outside quotes; without one, there is nothing after it. */
function splitAt(mark: ':' | '=', text: string): [before: string, after?: string] {
  const at = text.includes(mark)
    ? [...text.matchAll(QUOTED_OR_MARK)].find(([token]) => token === mark)?.index
    : undefined;
  return at === undefined ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function splitUnion(type: string): string[] {
  const parts = [''];
  for (const [token] of type.matchAll(OUTSIDE_QUOTES))
    if (token === '|') parts.push('');
    else parts[parts.length - 1] += token;
  return parts.map((part) => part.trim());
}

// Reads types written as text, for programs without a schema library. Examples are 'string', 'number?', 'string[]',
// "'a' | 'b'", 'string | null' and 'integer?: how many'. The compiler reads the same grammar in `infer-text`.
import type { Conversion } from './conversion.js';
import type { JsonSchema } from './compiled-schema.js';
import type { StandardSchema } from './standard-schema.js';
import { check, parseAtom, uniteAtoms } from './shorthand-atom.js';

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
  const isOptional = text.endsWith('?');
  const type = isOptional ? text.slice(0, -1).trim() : text;
  const union = uniteAtoms(splitUnion(type).map((part) => parseAtom(part, field, conversion)));
  const parsed: ShorthandField = {
    json: union.json,
    schema: {
      '~standard': {
        vendor: 'shorthand',
        validate: (value) => (isOptional && value === undefined ? { value } : check(union, value)),
      },
    },
  };
  if (knownTypes.size < MAX_KNOWN_TYPES) knownTypes.set(text, parsed);
  return parsed;
}

// A colon or a bar inside quotes belongs to the literal.
const OUTSIDE_QUOTES = /'[^']*'|"[^"]*"|[^'"]/g;
const QUOTED_OR_COLON = /'[^']*'|"[^"]*"|:/g;

function splitField(text: string): { type: string; description?: string } {
  const colon = text.includes(':')
    ? ([...text.matchAll(QUOTED_OR_COLON)].find(([token]) => token === ':')?.index ?? -1)
    : -1;
  if (colon === -1) return { type: text.trim() };
  return { type: text.slice(0, colon).trim(), description: text.slice(colon + 1).trim() };
}

function splitUnion(type: string): string[] {
  const parts = [''];
  for (const [token] of type.matchAll(OUTSIDE_QUOTES))
    if (token === '|') parts.push('');
    else parts[parts.length - 1] += token;
  return parts.map((part) => part.trim());
}

// Types written as text, for when no schema library is installed: 'string', 'number?', 'string[]', "'a' | 'b'",
// 'string | null', 'integer?: how many'. The same grammar is read by the compiler in infer-text.ts.
import type { Conversion } from './conversion.js';
import type { StandardJsonSchema } from './standard-schema.js';
import { check, parseAtom, uniteAtoms } from './shorthand-atom.js';

/** Reads one field of a shorthand shape as a schema like any other. */
export function parseShorthand(text: string, conversion: Conversion): StandardJsonSchema {
  const { type, isOptional, description } = splitField(text);
  const atoms = splitUnion(type).map((part) => parseAtom(part, text, conversion));
  const union = uniteAtoms(atoms);
  const json = description === undefined ? union.json : { ...union.json, description };
  return {
    '~standard': {
      vendor: 'shorthand',
      validate: (value) => (isOptional && value === undefined ? { value } : check(union, value)),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

// A colon or a bar inside quotes belongs to the literal.
const OUTSIDE_QUOTES = /'[^']*'|"[^"]*"|[^'"]/g;

function splitField(text: string): { type: string; isOptional: boolean; description?: string } {
  const colon = [...text.matchAll(OUTSIDE_QUOTES)].find(([token]) => token === ':')?.index ?? -1;
  const type = (colon === -1 ? text : text.slice(0, colon)).trim();
  const isOptional = type.endsWith('?');
  return {
    type: isOptional ? type.slice(0, -1).trim() : type,
    isOptional,
    ...(colon !== -1 && { description: text.slice(colon + 1).trim() }),
  };
}

function splitUnion(type: string): string[] {
  const parts = [''];
  for (const [token] of type.matchAll(OUTSIDE_QUOTES))
    if (token === '|') parts.push('');
    else parts[parts.length - 1] += token;
  return parts.map((part) => part.trim());
}

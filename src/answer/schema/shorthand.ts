// Types written as text, for when no schema library is installed: 'string', 'number?', 'string[]', "'a' | 'b'",
// 'string | null', 'integer?: how many'. The same grammar is read by the compiler in infer.ts.
import { isRecord } from '../../util/guards.js';
import { kindOf, type JsonSchema } from './compiled-schema.js';
import type { Conversion } from './conversion.js';
import { writeChoice } from './json-schema/json-nodes.js';
import { uniteTypes } from './json-schema/merge-objects.js';
import type { StandardJsonSchema, StandardResult } from './standard-schema.js';

const NAMED: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && !Number.isNaN(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isRecord,
  array: Array.isArray,
  any: () => true,
};

interface Atom {
  json: JsonSchema;
  /** How messages call it. */
  name: string;
  accepts(value: unknown): boolean;
  /** For arrays: what each item must be. */
  item?: Atom;
}

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
  let colon = -1;
  for (const match of text.matchAll(OUTSIDE_QUOTES))
    if (match[0] === ':') {
      colon = match.index;
      break;
    }
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

function parseAtom(part: string, text: string, conversion: Conversion): Atom {
  if (part.endsWith('[]')) {
    const item = parseAtom(part.slice(0, -2).trim(), text, conversion);
    return {
      json: { type: 'array', items: item.json },
      name: `${item.name}[]`,
      accepts: Array.isArray,
      item,
    };
  }
  const accepts = Object.hasOwn(NAMED, part) ? NAMED[part] : undefined;
  if (accepts) return { json: part === 'any' ? {} : { type: part }, name: part, accepts };
  const literal = /^(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|(true|false))$/.exec(part);
  if (!literal)
    return conversion.fail(
      `says "${text}", where "${part}" is no type. ` +
        `Use ${Object.keys(NAMED).join(', ')} or 'a literal', with [] for a list, | between choices, ` +
        `? at the end if it may be left out, and ": a description" after that.`,
    );
  const [, single, double, digits, truth] = literal;
  const value = single ?? double ?? (digits === undefined ? truth === 'true' : Number(digits));
  return { json: writeChoice([value]), name: JSON.stringify(value), accepts: (other) => other === value };
}

function uniteAtoms(atoms: Atom[]): Atom {
  const [only, ...others] = atoms;
  if (only && others.length === 0) return only;
  const values = atoms.map((atom) => atom.json['enum']);
  return {
    json: values.every(Array.isArray)
      ? writeChoice(values.flat())
      : uniteTypes(atoms.map((atom) => atom.json)),
    name: atoms.map((atom) => atom.name).join(' | '),
    accepts: (value) => atoms.some((atom) => check(atom, value).issues === undefined),
  };
}

function check(atom: Atom, value: unknown): StandardResult {
  if (!atom.accepts(value))
    return { issues: [{ message: `Expected ${atom.name}, received ${describeValue(value)}` }] };
  const { item } = atom;
  if (!item) return { value };
  const issues = (value as unknown[]).flatMap((entry, index) =>
    (check(item, entry).issues ?? []).map(({ message, path = [] }) => ({ message, path: [index, ...path] })),
  );
  return issues.length > 0 ? { issues } : { value };
}

function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : '';
  return text !== '' && text.length <= 40 ? text : kindOf(value);
}

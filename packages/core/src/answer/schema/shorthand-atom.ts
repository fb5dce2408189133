// Reads one choice of a type written as text. It makes the JSON Schema of the choice, and checks values against it.
import { isRecord } from '../../util/guards.js';
import { kindOf, showChoice, type JsonSchema } from './compiled-schema.js';
import type { Conversion } from './conversion.js';
import { writeChoice } from './json-schema/json-nodes.js';
import { uniteTypes } from './json-schema/unite-schemas.js';
import type { StandardResult } from './standard-schema.js';

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

export interface Atom {
  json: JsonSchema;
  /** The name in messages. */
  name: string;
  accepts(value: unknown): boolean;
  /** Whether the atom is a literal, or several, and not a kind of value. */
  isChoice?: boolean;
  /** The type of each item, if the atom is an array. */
  item?: Atom;
}

/** Reads one choice. `text` is the whole field, which an error quotes. */
export function parseAtom(part: string, text: string, conversion: Conversion): Atom {
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
  const literal = parseLiteral(part);
  if (!literal)
    return conversion.fail(
      `is "${text}", where "${part}" is ` +
        `not a type. Use ${Object.keys(NAMED).join(', ')} or 'a literal', with [] for a list, | between choices, ` +
        `? at the end if it is optional or = and a default, and ": a description" after that.`,
    );
  const { value } = literal;
  return {
    json: writeChoice([value]),
    name: JSON.stringify(value),
    accepts: (other) => other === value,
    isChoice: true,
  };
}

/** A value written as text. */
export function parseLiteral(text: string): { value: unknown } | undefined {
  const found = /^(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|(true|false)|null)$/.exec(text);
  if (!found) return undefined;
  const [, single, double, digits, truth] = found;
  if (truth !== undefined) return { value: truth === 'true' };
  return { value: single ?? double ?? (digits === undefined ? null : Number(digits)) };
}

/** One atom for all choices of a field. */
export function uniteAtoms(atoms: Atom[]): Atom {
  const [only, ...others] = atoms;
  if (only && others.length === 0) return only;
  const values = atoms.map((atom) => atom.json['enum']);
  return {
    json: values.every(Array.isArray)
      ? writeChoice(values.flat())
      : uniteTypes(atoms.map((atom) => atom.json)),
    name: atoms.map((atom) => atom.name).join(' | '),
    isChoice: atoms.every((atom) => atom.isChoice),
    accepts: (value) => atoms.some((atom) => check(atom, value).issues === undefined),
  };
}

/** The value, or why it does not fit the atom. */
export function check(atom: Atom, value: unknown): StandardResult {
  if (!atom.accepts(value))
    return {
      issues: [
        {
          message: `Expected ${atom.name}, received ${atom.isChoice ? showChoice(value) : describeValue(value)}`,
        },
      ],
    };
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

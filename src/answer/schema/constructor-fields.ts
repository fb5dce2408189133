// Fields whose type was given as a constructor, as in { name: String }. No schema library means that, so it is refused where it is written, with the
// type that was meant.
import { isRecord } from '../../util/guards.js';
import { isLibrarySchema } from './any-schema.js';

/** A field that has a function where its schema should be. */
export interface ConstructorField {
  key: string;
  /** Completes a sentence that begins with the field. */
  problem: string;
}

const MEANT = new Map<unknown, string>([
  [String, "'string'"],
  [Number, "'number'"],
  [Boolean, "'boolean'"],
  [BigInt, "'integer'"],
  [Array, "'array', or for instance 'string[]'"],
  [Object, "'object'"],
  [Date, "'string: a date such as 2026-01-31', because JSON has no dates"],
]);

/** The first such field of a schema: a constructor itself, a list with one as in [String], or { type: String }. */
export function findConstructorField(schema: unknown): ConstructorField | undefined {
  if (!isRecord(schema) || isLibrarySchema(schema)) return undefined;
  for (const [key, value] of Object.entries(schema)) {
    const problem = findProblem(value);
    if (problem !== undefined) return { key, problem };
  }
  return undefined;
}

function findProblem(value: unknown): string | undefined {
  if (isConstructor(value)) return explain(value, MEANT.get(value));
  if (Array.isArray(value) && value.length === 1 && isConstructor(value[0])) {
    const item = [String, Number, Boolean, Object].includes(value[0] as never)
      ? MEANT.get(value[0])
      : "'any'";
    return explain(value[0], item && `${item.slice(0, -1)}[]'`, 'a list of ');
  }
  if (isRecord(value) && !isLibrarySchema(value) && isConstructor(value['type']))
    return explain(value['type'], MEANT.get(value['type']), 'an object with ');
  return undefined;
}

function isConstructor(value: unknown): value is () => unknown {
  return typeof value === 'function' && !isLibrarySchema(value);
}

function explain(constructor: () => unknown, meant: string | undefined, inside = ''): string {
  const name = constructor.name === '' ? 'a function' : `the function ${constructor.name}`;
  const what = `is ${inside}${name}, not a type.`;
  return meant === undefined
    ? `${what} Write the type as a text such as 'string', or pass a schema of a library such as zod.`
    : `${what} Write ${meant}.`;
}

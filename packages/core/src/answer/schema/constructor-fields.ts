// Finds fields whose type is a constructor, as in { name: String }, anywhere in a schema. No schema library has such
// fields, and JSON has no functions, so the field would accept anything. It is therefore refused when the tool is defined,
// and the error names the type that was meant.
import { hasFields, isRecord, isThenable } from '../../util/guards.js';
import { isLibrarySchema } from './any-schema.js';

/** A field that has a function, a promise, a Map or the like where its schema should be. */
export interface ConstructorField {
  /** The keys that lead to it, as in `properties.name`. */
  key: string;
  /** Completes a sentence that begins with the field. */
  problem: string;
}

/** What to write instead of a constructor, as a text and as a JSON Schema. */
const MEANT = new Map<unknown, { text: string; json: string }>([
  [String, { text: "'string'", json: "{ type: 'string' }" }],
  [Number, { text: "'number'", json: "{ type: 'number' }" }],
  [Boolean, { text: "'boolean'", json: "{ type: 'boolean' }" }],
  [BigInt, { text: "'integer'", json: "{ type: 'integer' }" }],
  [Array, { text: "'array', or for instance 'string[]'", json: "{ type: 'array' }" }],
  [Object, { text: "'object'", json: "{ type: 'object' }" }],
  [
    Date,
    {
      text: "'string: a date such as 2026-01-31', because JSON has no dates",
      json: "{ type: 'string', format: 'date' }, because JSON has no dates",
    },
  ],
]);

/** JSON Schema keywords that hold data, not a schema. */
const DATA = new Set(['const', 'enum', 'default', 'example', 'examples']);
/** Keywords that map names to schemas. A list in such a map is meant as the type of a field, not as a list of schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/**
 * The first field of a schema, on any level, that is a constructor, a list with one as in [String], or an object with one
 * as in { type: String }. A promise, a Map or the like is found, too.
 */
export function findConstructorField(schema: unknown): ConstructorField | undefined {
  return findWithin(schema, [], new Set());
}

function findWithin(
  schema: unknown,
  path: readonly string[],
  seen: Set<object>,
): ConstructorField | undefined {
  if (typeof schema !== 'object' || schema === null || isLibrarySchema(schema) || seen.has(schema))
    return undefined;
  seen.add(schema);
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.has(key) && path.length > 0) continue;
    const here = [...path, key];
    const problem = path.length === 0 ? findProblem(value) : findJsonProblem(value, here);
    const found = problem === undefined ? findWithin(value, here, seen) : { key: here.join('.'), problem };
    if (found) return found;
  }
  return undefined;
}

/** What is wrong with a value in a shape, or at the top of a JSON Schema. */
function findProblem(value: unknown): string | undefined {
  if (isConstructor(value)) return explain(value, MEANT.get(value)?.text);
  if (Array.isArray(value) && value.length === 1 && isConstructor(value[0])) {
    const item = [String, Number, Boolean, Object].includes(value[0] as never)
      ? MEANT.get(value[0])?.text
      : "'any'";
    return explain(value[0], item && `${item.slice(0, -1)}[]'`, 'a list of ');
  }
  if (isRecord(value) && !isLibrarySchema(value) && isConstructor(value['type']))
    return explain(value['type'], MEANT.get(value['type'])?.text, 'an object with ');
  return findFieldlessProblem(value);
}

/** What is wrong with a value inside a JSON Schema, where types cannot be written as text. */
function findJsonProblem(value: unknown, path: readonly string[]): string | undefined {
  if (isConstructor(value)) {
    const meant = MEANT.get(value);
    return explain(value, path.slice(-2).includes('type') ? meant?.text : meant?.json);
  }
  if (Array.isArray(value) && MAPS.has(path.at(-2) ?? '') && value.length === 1 && isConstructor(value[0]))
    return explain(
      value[0],
      `{ type: 'array', items: ${MEANT.get(value[0])?.json.replace(/,? because.*/, '') ?? '{}'} }`,
      'a list of ',
    );
  if (isRecord(value) && !isLibrarySchema(value) && isConstructor(value['type']))
    return explain(value['type'], MEANT.get(value['type'])?.json, 'an object with ');
  return findFieldlessProblem(value);
}

/**
 * What is wrong with a promise, a Map, a RegExp, a Date or the like. JSON would write it as an empty object, or as
 * something that is no schema. The text completes a sentence. Undefined if nothing is wrong.
 */
export function findFieldlessProblem(value: unknown): string | undefined {
  if (!isRecord(value) || isLibrarySchema(value)) return undefined;
  if (isThenable<unknown>(value)) return 'is a promise. Await it, and pass the schema that it gives.';
  const given: object = value;
  if (hasFields(given)) return undefined;
  const name: unknown = (given as { constructor?: { name?: unknown } }).constructor?.name;
  const what = typeof name === 'string' && name !== '' ? `of the class ${name}` : 'without fields';
  const fix = given instanceof Map ? ' Object.fromEntries() makes an object of a Map.' : '';
  return `is an object ${what}, not a schema. Pass a schema, an object of schemas, or a JSON Schema object.${fix}`;
}

function isConstructor(value: unknown): value is () => unknown {
  return typeof value === 'function' && !isLibrarySchema(value);
}

/** A function as messages name it. */
export function nameFunction({ name }: { name: string }): string {
  return name === '' ? 'a function' : `the function ${name}`;
}

function explain(constructor: () => unknown, meant: string | undefined, inside = ''): string {
  const what = `is ${inside}${nameFunction(constructor)}, not a type.`;
  return meant === undefined
    ? `${what} Write the type as a text such as 'string', or pass a schema of a library such as zod.`
    : `${what} Write ${meant}.`;
}

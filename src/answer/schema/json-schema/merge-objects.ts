// Combining JSON Schemas: objects that must all hold, objects of which one must hold, unions of bare types.
import { isRecord } from '../../../util/guards.js';
import { setOwn, type JsonSchema } from '../compiled-schema.js';

const OBJECT_KEYWORDS = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** Whether a schema has only the keywords that `mergeAll` combines without loss. */
function isPlainObjectSchema(schema: unknown): schema is JsonSchema {
  return (
    isRecord(schema) &&
    schema['type'] === 'object' &&
    Object.keys(schema).every((key) => OBJECT_KEYWORDS.has(key))
  );
}

/**
 * One object schema that asks for everything its members ask for. Key sets are pooled, as schema libraries do:
 * it is closed only if all members are. Keywords beyond the plain object ones are kept from the first that has them.
 */
export function mergeAll(members: readonly JsonSchema[]): JsonSchema {
  const properties: JsonSchema = {};
  const required = new Set<string>();
  for (const member of members) {
    for (const key of Object.keys(propertiesOf(member))) {
      if (Object.hasOwn(properties, key)) continue;
      const parts = distinct(
        members.map((other) => propertyOf(other, key)).filter((part) => part !== undefined),
      );
      if (parts.length === 1) setOwn(properties, key, parts[0]);
      else setOwn(properties, key, parts.every(isPlainObjectSchema) ? mergeAll(parts) : { allOf: parts });
    }
    for (const key of requiredOf(member)) required.add(key);
  }
  const merged: JsonSchema = { type: 'object', properties };
  if (required.size > 0) merged['required'] = [...required];
  if (members.every((member) => member['additionalProperties'] === false))
    merged['additionalProperties'] = false;
  else {
    const extra = distinct(members.map(catchAllOf).filter((part) => part !== undefined));
    if (extra.length === 1) merged['additionalProperties'] = extra[0];
    else if (extra.length > 1) merged['additionalProperties'] = { allOf: extra };
  }
  return withOtherKeywords(merged, members);
}

/** One object schema that admits whatever one of its members admits: wider than the union, never narrower. */
export function mergeAny(members: readonly JsonSchema[]): JsonSchema {
  const keys = new Set(members.flatMap((member) => Object.keys(propertiesOf(member))));
  const properties: JsonSchema = {};
  for (const key of keys) {
    // A member that does not name the key leaves it open or forbids it; the others describe it.
    const parts = members.flatMap((member) =>
      Object.hasOwn(propertiesOf(member), key) ? [propertiesOf(member)[key]] : [],
    );
    setOwn(properties, key, uniteSchemas(parts));
  }
  const required = [...keys].filter((key) => members.every((member) => requiredOf(member).includes(key)));
  const merged: JsonSchema = { type: 'object', properties };
  if (required.length > 0) merged['required'] = required;
  if (members.every((member) => member['additionalProperties'] === false))
    merged['additionalProperties'] = false;
  return merged;
}

/** `A & (B | C)` as `(A & B) | (A & C)` where all are plain objects, so that closed members do not refuse each other. */
export function intersect(...sides: JsonSchema[]): JsonSchema {
  const members = sides.flatMap((side) =>
    Array.isArray(side['allOf']) && Object.keys(side).length === 1 ? (side['allOf'] as JsonSchema[]) : [side],
  );
  if (members.every((member) => isPlainObjectSchema(member))) return mergeAll(members);
  const union = members.find((member) => isUnion(member));
  const keyword = union && (union['oneOf'] ? 'oneOf' : 'anyOf');
  if (union && keyword && Object.keys(union).length === 1) {
    const rest = members.filter((member) => member !== union);
    const branches = union[keyword] as unknown[];
    if ([...rest, ...branches].every(isPlainObjectSchema))
      return { [keyword]: branches.map((branch) => mergeAll([...rest, branch as JsonSchema])) };
  }
  return { allOf: members };
}

/** `anyOf` of bare types as one list of types, which reads better and means the same. */
export function uniteTypes(branches: readonly JsonSchema[]): JsonSchema {
  const types = new Set<unknown>();
  for (const branch of branches) {
    if (Object.keys(branch).length !== 1 || branch['type'] === undefined) return { anyOf: branches };
    for (const type of [branch['type']].flat()) types.add(type);
  }
  return { type: types.size === 1 ? [...types][0] : [...types] };
}

function uniteSchemas(parts: readonly unknown[]): unknown {
  const different = distinct(parts);
  if (different.length === 1) return different[0];
  const values = different.map(valuesOf);
  if (values.every((list) => list !== undefined)) {
    const all = [...new Set(values.flat())];
    const types = new Set(all.map((value) => typeof value));
    return types.size === 1 ? { type: [...types][0], enum: all } : { enum: all };
  }
  return { anyOf: different };
}

/** The values of a schema that is just a choice of strings, numbers or booleans. */
function valuesOf(schema: unknown): unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  const others = Object.keys(schema).filter((key) => !['type', 'const', 'enum'].includes(key));
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (others.length > 0 || !Array.isArray(values)) return undefined;
  return values.every((value) => value !== null && typeof value !== 'object')
    ? (values as unknown[])
    : undefined;
}

function withOtherKeywords(merged: JsonSchema, members: readonly JsonSchema[]): JsonSchema {
  for (const member of members)
    for (const [key, value] of Object.entries(member))
      if (!OBJECT_KEYWORDS.has(key) && !Object.hasOwn(merged, key)) merged[key] = value;
  return merged;
}

function isUnion(schema: JsonSchema): boolean {
  return Array.isArray(schema['oneOf']) || Array.isArray(schema['anyOf']);
}

function propertyOf(member: JsonSchema, key: string): unknown {
  const properties = propertiesOf(member);
  return Object.hasOwn(properties, key) ? properties[key] : catchAllOf(member);
}

function catchAllOf(member: JsonSchema): JsonSchema | undefined {
  const extra = member['additionalProperties'];
  return isRecord(extra) && Object.keys(extra).length > 0 ? extra : undefined;
}

function propertiesOf(member: JsonSchema): JsonSchema {
  return isRecord(member['properties']) ? member['properties'] : {};
}

function requiredOf(member: JsonSchema): string[] {
  return Array.isArray(member['required']) ? (member['required'] as string[]) : [];
}

function distinct<T>(parts: readonly T[]): T[] {
  const seen = new Map(parts.map((part) => [JSON.stringify(part), part]));
  return [...seen.values()];
}

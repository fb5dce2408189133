// Combines several JSON Schemas of objects into one, for intersections (all must hold) and for unions (one must hold).
import { setOwn, type JsonSchema } from '../compiled-schema.js';
import {
  OBJECT_KEYWORDS,
  isPlainObjectSchema,
  propertyOf,
  catchAllOf,
  propertiesOf,
  requiredOf,
} from './object-schema.js';
import { uniteSchemas, distinct } from './unite-schemas.js';

/**
 * One object schema with the requirements of all members. As in schema libraries, it has the keys of all members, and
 * is closed only if all members are. Each other keyword comes from the first member that has it.
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

/**
 * One object schema for a union of the members. It may admit more than the union does. It can admit less only for a key that
 * some members do not name.
 */
export function mergeAny(members: readonly JsonSchema[]): JsonSchema {
  const keys = new Set(members.flatMap((member) => Object.keys(propertiesOf(member))));
  const properties: JsonSchema = {};
  for (const key of keys) {
    // Only the members that name the key describe it. The others leave it open or forbid it.
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

/**
 * The intersection of schemas. Plain objects become one object, and `A & (B | C)` of plain objects becomes
 * `(A & B) | (A & C)`. Under `allOf`, closed members would refuse each other's keys.
 */
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

function withOtherKeywords(merged: JsonSchema, members: readonly JsonSchema[]): JsonSchema {
  for (const member of members)
    for (const [key, value] of Object.entries(member))
      if (!OBJECT_KEYWORDS.has(key) && !Object.hasOwn(merged, key)) merged[key] = value;
  return merged;
}

function isUnion(schema: JsonSchema): boolean {
  return Array.isArray(schema['oneOf']) || Array.isArray(schema['anyOf']);
}

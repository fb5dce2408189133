// Reads the plain part of an object schema: its properties, the required ones, and the schema of properties it does not name.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';

/** The keywords that `merge-objects` combines. */
export const OBJECT_KEYWORDS = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** Whether a schema describes an object and has only the keywords that can be combined. */
export function isPlainObjectSchema(schema: unknown): schema is JsonSchema {
  return (
    isRecord(schema) &&
    schema['type'] === 'object' &&
    Object.keys(schema).every((key) => OBJECT_KEYWORDS.has(key))
  );
}

/** The schema of a property. A property that is not named gets the schema for such properties. */
export function propertyOf(member: JsonSchema, key: string): unknown {
  const properties = propertiesOf(member);
  return Object.hasOwn(properties, key) ? properties[key] : catchAllOf(member);
}

/** The schema of properties that are not named. Undefined if all of them are allowed, or none. */
export function catchAllOf(member: JsonSchema): JsonSchema | undefined {
  const extra = member['additionalProperties'];
  return isRecord(extra) && Object.keys(extra).length > 0 ? extra : undefined;
}

/** The properties by name; empty where the schema names none. */
export function propertiesOf(member: JsonSchema): JsonSchema {
  return isRecord(member['properties']) ? member['properties'] : {};
}

export function requiredOf(member: JsonSchema): string[] {
  return Array.isArray(member['required']) ? (member['required'] as string[]) : [];
}

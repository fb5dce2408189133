// Writes small JSON Schema nodes that are the same for zod 3, zod 4 and types written as text.
import { setOwn, type JsonSchema } from '../compiled-schema.js';

/** A node with its own keywords and those of the node that it wraps. Its own come first and take precedence. */
export function inherit(own: JsonSchema, inner: JsonSchema | undefined): JsonSchema {
  if (inner === undefined) return own;
  // Draft-07 ignores keywords beside a $ref.
  if ('$ref' in inner) return { ...own, allOf: [inner] };
  return { ...own, ...inner, ...own };
}

/** A node that accepts one of several values. With an empty list it accepts nothing. */
export function writeChoice(values: readonly unknown[]): JsonSchema {
  if (values.length === 0) return { not: {} };
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  return types.size === 1 ? { type: [...types][0], enum: values } : { enum: values };
}

/** A node that accepts only this value. */
export function writeConstant(value: unknown): JsonSchema {
  return { type: value === null ? 'null' : typeof value, const: value };
}

/** An array of `items`, with its bounds where there are any. */
export function writeArraySchema(
  items: JsonSchema,
  least: number | undefined,
  most: number | undefined,
): JsonSchema {
  return {
    ...(least !== undefined && { minItems: least }),
    ...(most !== undefined && { maxItems: most }),
    type: 'array',
    items,
  };
}

/** An object of fields; those that are not optional are required. */
export function writeFields<Field>(
  fields: Readonly<Record<string, Field>>,
  write: (key: string, field: Field) => JsonSchema,
  isOptional: (field: Field) => boolean,
): JsonSchema {
  const properties: JsonSchema = {};
  const required: string[] = [];
  for (const [key, field] of Object.entries(fields)) {
    setOwn(properties, key, write(key, field));
    if (!isOptional(field)) required.push(key);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Adds regular expressions to a node of strings; several must all match. */
export function addPatterns(json: JsonSchema, patterns: readonly string[]): JsonSchema {
  if (patterns.length === 1) json['pattern'] = patterns[0];
  else if (patterns.length > 1) json['allOf'] = patterns.map((pattern) => ({ type: 'string', pattern }));
  return json;
}

/** The values of an enum object, without the reverse entries TypeScript adds for numbers. */
export function listEnumValues(entries: Record<string, string | number>): (string | number)[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries)
    .filter(([key]) => !numbers.has(Number(key)))
    .map(([, value]) => value);
}

/** A node with a value under a keyword. It is empty if the value has no JSON or if reading it throws. */
export function writeValue(keyword: string, read: () => unknown): JsonSchema {
  try {
    const text = JSON.stringify(read());
    return text === undefined ? {} : { [keyword]: JSON.parse(text) };
  } catch {
    // A default in the listing is only a hint for the model. Validation applies the real one.
    return {};
  }
}

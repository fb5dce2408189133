// Reads a JSON Schema as a form: the kind of control for each place of a value. A shape contains the schemas of its
// children, not their shapes, because a schema may contain itself.
import { resolveReference } from '@inboard/core/answer/schema/json-schema/references.js';
import { isRecord } from '@inboard/core/util/guards.js';

/** A JSON Schema, not checked. */
export type Schema = Readonly<Record<string, unknown>>;

/** The format of a text field. */
export type TextFormat = 'text' | 'date' | 'date-time' | 'time' | 'email' | 'uri';

/** One of several values. */
export interface ChoiceOption {
  label: string;
  description: string | undefined;
  value: unknown;
}

/** A field of an object. */
export interface ShapeProperty {
  name: string;
  schema: unknown;
  isRequired: boolean;
}

/** The kind of a place. `json` is for everything that has no control of its own. */
export type ShapeKind =
  | { kind: 'text'; format: TextFormat }
  | { kind: 'number'; isInteger: boolean }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: ChoiceOption[] }
  | { kind: 'object'; properties: ShapeProperty[]; additional: unknown }
  | { kind: 'list'; items: unknown; prefix: readonly unknown[]; minItems: number; maxItems: number }
  | { kind: 'union'; variants: Array<{ label: string; schema: unknown }> }
  | { kind: 'json' };

/** A place of a form. */
export type FormShape = ShapeKind & {
  title: string | undefined;
  description: string | undefined;
  isNullable: boolean;
  /** The schema of the place: `$ref` and `allOf` are resolved, and null is no longer one of its types. */
  schema: Schema;
};

const FORMATS = new Set<string>(['date', 'date-time', 'time', 'email', 'uri']);
const MAX_REFERENCES = 20;

/** The shape of a place. If the schema does not tell the type, the value decides. */
export function readShape(given: unknown, root: unknown, value?: unknown): FormShape {
  const schema = resolveSchema(given, root);
  const nullable = splitNull(schema, root);
  const kind = readKind(nullable.schema, root, value);
  return {
    ...kind,
    title: textOrNone(schema['title']),
    description: textOrNone(schema['description']),
    isNullable: nullable.isNullable,
    schema: nullable.schema,
  };
}

/** Resolves `$ref` and `allOf`. A reference without a target is left out. What is not an object becomes an empty schema. */
function resolveSchema(given: unknown, root: unknown): Schema {
  let schema: Schema = isRecord(given) ? given : {};
  for (let count = 0; typeof schema['$ref'] === 'string' && count < MAX_REFERENCES; count += 1) {
    const { $ref: ref, ...beside } = schema;
    const target = isRecord(root) ? resolveReference(root, ref) : undefined;
    schema = isRecord(target) ? { ...target, ...beside } : beside;
  }
  const parts = schema['allOf'];
  if (!Array.isArray(parts)) return schema;
  const { allOf: _, ...own } = schema;
  return parts.map((part) => resolveSchema(part, root)).reduce(mergeSchemas, own);
}

function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...other, ...one };
  for (const key of ['properties', '$defs'])
    if (isRecord(one[key]) && isRecord(other[key])) merged[key] = { ...one[key], ...other[key] };
  if (Array.isArray(one['required']) && Array.isArray(other['required']))
    merged['required'] = [
      ...new Set([...(one['required'] as unknown[]), ...(other['required'] as unknown[])]),
    ];
  return merged;
}

function splitNull(schema: Schema, root: unknown): { schema: Schema; isNullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const rest = type.filter((each) => each !== 'null');
    return { schema: { ...schema, type: rest.length === 1 ? rest[0] : rest }, isNullable: true };
  }
  for (const key of ['anyOf', 'oneOf']) {
    const variants = schema[key];
    if (!Array.isArray(variants)) continue;
    const rest = variants.filter((each) => resolveSchema(each, root)['type'] !== 'null');
    if (rest.length === variants.length) continue;
    const { [key]: _, ...beside } = schema;
    const only =
      rest.length === 1 ? { ...resolveSchema(rest[0], root), ...beside } : { ...beside, [key]: rest };
    return { schema: only, isNullable: true };
  }
  return { schema, isNullable: schema['nullable'] === true };
}

function readKind(schema: Schema, root: unknown, value: unknown): ShapeKind {
  if ('const' in schema) return { kind: 'choice', options: [optionOf(schema['const'], schema)] };
  if (Array.isArray(schema['enum'])) return { kind: 'choice', options: readEnum(schema) };
  const variants = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(variants) && variants.length > 0) return readVariants(schema, variants, root);
  const { type } = schema;
  if (Array.isArray(type) && type.length > 1)
    return {
      kind: 'union',
      variants: type.map((each) => ({ label: nameType(each), schema: { ...schema, type: each } })),
    };
  switch (Array.isArray(type) ? type[0] : (type ?? inferType(schema) ?? typeOfValue(value))) {
    case 'string':
      return { kind: 'text', format: readFormat(schema['format']) };
    case 'number':
      return { kind: 'number', isInteger: false };
    case 'integer':
      return { kind: 'number', isInteger: true };
    case 'boolean':
      return { kind: 'boolean' };
    case 'object':
      return readObject(schema);
    case 'array':
      return readList(schema);
    default:
      return { kind: 'json' };
  }
}

function readEnum(schema: Schema): ChoiceOption[] {
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as unknown[]) : [];
  return (schema['enum'] as unknown[]).map((value, index) => ({
    ...optionOf(value, {}),
    label: textOrNone(names[index]) ?? labelOf(value),
  }));
}

function readVariants(schema: Schema, variants: readonly unknown[], root: unknown): ShapeKind {
  const resolved = variants.map((each) => resolveSchema(each, root));
  if (resolved.every((each) => 'const' in each))
    return { kind: 'choice', options: resolved.map((each) => optionOf(each['const'], each)) };
  const { oneOf: _, anyOf: __, title: ___, description: ____, ...beside } = schema;
  return {
    kind: 'union',
    variants: resolved.map((each, index) => ({
      label: textOrNone(each['title']) ?? describeVariant(each) ?? `Form ${index + 1}`,
      schema: mergeSchemas(each, beside),
    })),
  };
}

/** The name of a variant: its first constant field, as in `kind: file`, else its type. */
function describeVariant(schema: Schema): string | undefined {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  for (const [name, part] of Object.entries(properties))
    if (isRecord(part) && 'const' in part) return `${name}: ${labelOf(part['const'])}`;
  const type = schema['type'] ?? inferType(schema);
  return typeof type === 'string' ? nameType(type) : undefined;
}

function readObject(schema: Schema): ShapeKind {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return {
    kind: 'object',
    properties: Object.entries(properties).map(([name, part]) => ({
      name,
      schema: part,
      isRequired: required.has(name),
    })),
    additional: schema['additionalProperties'] ?? true,
  };
}

function readList(schema: Schema): ShapeKind {
  const { items, prefixItems, minItems, maxItems } = schema;
  const isOldTuple = Array.isArray(items);
  return {
    kind: 'list',
    items: isOldTuple ? schema['additionalItems'] : items,
    prefix: isOldTuple ? items : Array.isArray(prefixItems) ? prefixItems : [],
    minItems: typeof minItems === 'number' ? minItems : 0,
    maxItems: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
  };
}

function inferType(schema: Schema): string | undefined {
  if ('properties' in schema || 'required' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if ('pattern' in schema || 'minLength' in schema || 'maxLength' in schema || 'format' in schema)
    return 'string';
  return 'minimum' in schema || 'maximum' in schema || 'multipleOf' in schema ? 'number' : undefined;
}

/** The type of a value as schemas name it; undefined for null and undefined. */
export function typeOfValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? 'array' : typeof value;
}

function readFormat(format: unknown): TextFormat {
  return typeof format === 'string' && FORMATS.has(format) ? (format as TextFormat) : 'text';
}

function optionOf(value: unknown, schema: Schema): ChoiceOption {
  return {
    label: textOrNone(schema['title']) ?? labelOf(value),
    description: textOrNone(schema['description']),
    value,
  };
}

function labelOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  object: 'Object',
  array: 'List',
};

function nameType(type: unknown): string {
  const name = String(type);
  return (Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined) ?? name;
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

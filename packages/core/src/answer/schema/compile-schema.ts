// Finds out which kind of schema was given, and compiles it. Code outside this folder begins here.
import { isRecord, isThenable } from '../../util/guards.js';
import {
  convertSchema,
  bindValidator,
  isLibrarySchema,
  isZod,
  readOwnJsonSchema,
  type LibrarySchema,
} from './any-schema.js';
import { compileJsonSchema } from './json-schema/compile-json-schema.js';
import { compileShape, type RawShape } from './compile-shape.js';
import {
  compileAtOnce,
  compileOnUse,
  DRAFT_07,
  kindOf,
  type CompiledSchema,
  type JsonSchema,
  type SchemaSource,
  type SchemaSubject,
} from './compiled-schema.js';
import { findConstructorField, findFieldlessProblem, nameFunction } from './constructor-fields.js';
import { Conversion } from './conversion.js';
import { toObjectRoot } from './json-schema/object-root.js';
import { readStandardResult } from './standard-schema.js';
import { isPlainZod4 } from './zod/plain-zod-4.js';
import { isZod3 } from './zod/zod-3-schema.js';
import { isZod4 } from './zod/zod-4-schema.js';

export type { CompiledSchema, JsonSchema, SchemaIssue, ValidationResult } from './compiled-schema.js';

// The keywords of a JSON Schema's top. An object with none of them is more likely a map of properties.
const ROOT_KEYWORDS =
  'type properties required additionalProperties patternProperties propertyNames minProperties maxProperties ' +
  '$ref $schema $id $defs definitions anyOf oneOf allOf not if dependentRequired dependentSchemas dependencies ' +
  'unevaluatedProperties description title const enum';
const KEYWORDS = new Set(ROOT_KEYWORDS.split(' '));
// The keywords that have texts as values. An object that has only these, and `type: 'object'`, is a JSON Schema. An object
// of texts with other keys is a shape.
const TEXT_KEYWORDS = new Set([
  'type',
  'title',
  'description',
  '$schema',
  '$id',
  '$comment',
  '$ref',
  '$anchor',
]);

/**
 * Makes a schema of any kind ready for use: a zod 3, zod 4 or zod/mini schema or raw shape, any Standard Schema that
 * knows its JSON Schema, a shape of types written as text, or a plain JSON Schema. Undefined means no arguments. Throws a
 * SchemaError that names the tool and the path if the schema cannot be listed or cannot validate. A schema that surely
 * can do both is compiled on its first use.
 */
export function compileSchema(schema: unknown, about: SchemaSubject): CompiledSchema {
  if (schema === undefined) return compileShape({}, about);
  if (isLibrarySchema(schema)) return compileLibrarySchema(schema, about);
  if (!isRecord(schema))
    return new Conversion(about).fail(
      `is ${typeof schema === 'function' ? nameFunction(schema) : kindOf(schema)}. Pass a schema, an object of schemas, or a JSON Schema object.`,
    );
  const fieldless = findFieldlessProblem(schema);
  if (fieldless !== undefined) return new Conversion(about).fail(fieldless);
  refuseConstructor(schema, about);
  if (isShape(schema)) return compileShape(schema, about);
  if (Object.values(schema).some(isLibrarySchema)) return refuseMixture(schema, about);
  const keys = Object.keys(schema);
  if (keys.some((key) => KEYWORDS.has(key))) return compileJsonSchema(schema, about);
  return new Conversion(about).fail(
    `has no JSON Schema keyword. If ${JSON.stringify(keys[0])} is meant as a property, ` +
      'write { "type": "object", "properties": { … } }.',
  );
}

/**
 * Whether a schema cannot have been written for the official SDK, which takes only zod. A mistake in such a schema is
 * reported at once. A program for the official SDK has to start even if one of its tools is wrong.
 */
export function isOnlyOurs(schema: unknown): boolean {
  return schema !== undefined && (!hasZod(schema) || hasWords(schema));
}

/** Whether a schema is a zod schema or has one inside. An empty shape counts, because it may be meant for zod. */
function hasZod(schema: unknown): boolean {
  if (isZod(schema)) return true;
  if (!isRecord(schema)) return false;
  const fields = Object.values(schema);
  const hasInside = (field: unknown): boolean =>
    isZod(field) || (isRecord(field) && Object.values(field).some(isZod));
  return fields.length === 0 || fields.some(hasInside);
}

/** Whether a schema is a shape with types written as text or as constructors, or a value that can be no schema. */
function hasWords(schema: unknown): boolean {
  if (!isRecord(schema) || isLibrarySchema(schema)) return false;
  if (findFieldlessProblem(schema) !== undefined || findConstructorField(schema)) return true;
  return Object.values(schema).some((value) => typeof value === 'string') && isShape(schema);
}

function isShape(schema: Record<string, unknown>): schema is RawShape {
  if (!Object.values(schema).every((value) => typeof value === 'string' || isLibrarySchema(value)))
    return false;
  if (schema['$ref'] !== undefined || schema['$schema'] !== undefined) return false;
  return schema['type'] !== 'object' || !Object.keys(schema).every((key) => TEXT_KEYWORDS.has(key));
}

function refuseConstructor(schema: Record<string, unknown>, about: SchemaSubject): void {
  const field = findConstructorField(schema);
  if (!field) return;
  const conversion = new Conversion(about);
  conversion.within(`.${field.key}`, () => conversion.fail(field.problem));
}

function refuseMixture(schema: Record<string, unknown>, about: SchemaSubject): never {
  const [key, value] =
    Object.entries(schema).find(([, field]) => !isLibrarySchema(field) && typeof field !== 'string') ?? [];
  const conversion = new Conversion(about);
  return conversion.within(`.${key}`, () =>
    conversion.fail(`is ${kindOf(value)}, next to fields that are schemas.`),
  );
}

function compileLibrarySchema(schema: LibrarySchema, about: SchemaSubject): CompiledSchema {
  const source: SchemaSource = {
    write: () => {
      const conversion = new Conversion(about);
      return toObjectRoot(writeDocument(schema, conversion), conversion);
    },
    bind: () => {
      const validate = bindValidator(schema, new Conversion(about));
      return (value) => {
        // A call without arguments counts as a call with an empty object.
        const result = validate(value === undefined && about.side === 'input' ? {} : value);
        return isThenable(result) ? result.then(readStandardResult) : readStandardResult(result);
      };
    },
  };
  const isPlain = isPlainZod4(schema) && schema._zod.def.type === 'object';
  return isPlain ? compileOnUse(source) : compileAtOnce(source);
}

function writeDocument(schema: LibrarySchema, conversion: Conversion): JsonSchema {
  if (!isZod4(schema) && !isZod3(schema)) return readOwnJsonSchema(schema, conversion);
  conversion.setRoot(schema);
  return conversion.finish({ $schema: DRAFT_07, ...convertSchema(schema, conversion) });
}

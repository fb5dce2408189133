// Recognizes the schemas of all supported libraries, writes them as JSON Schema, and validates with them.
import type { JsonSchema } from './compiled-schema.js';
import type { Conversion } from './conversion.js';
import {
  acceptsUndefined,
  isStandardJsonSchema,
  isStandardSchema,
  readJsonSchema,
  type StandardSchema,
  type Validate,
} from './standard-schema.js';
import { convertZod3 } from './zod/zod-3.js';
import { isZod3, isZod3Optional, type Zod3Schema } from './zod/zod-3-schema.js';
import { isZod4, type Zod4Schema } from './zod/zod-4-schema.js';
import { isZod4Optional } from './zod/zod-4-traits.js';
import { convertZod4 } from './zod/zod-4.js';
import { bindZodValidator } from './zod/zod-validator.js';

/** A schema object of a library. A shape with several such fields is not one, nor is a plain JSON Schema. */
export type LibrarySchema = Zod4Schema | Zod3Schema | StandardSchema;

/**
 * Whether a value is a schema object of a library. Its class is not checked, so that a second copy of a library does no
 * harm.
 */
export function isLibrarySchema(value: unknown): value is LibrarySchema {
  return isZod4(value) || isZod3(value) || isStandardSchema(value);
}

/** Whether a value is a schema of zod, in any version. */
export function isZod(value: unknown): boolean {
  return isZod4(value) || isZod3(value);
}

/** Writes a schema as a node of the document being written. */
export function convertSchema(schema: LibrarySchema, conversion: Conversion): JsonSchema {
  if (isZod4(schema)) return convertZod4(schema, conversion);
  if (isZod3(schema)) return convertZod3(schema, conversion);
  return conversion.embed(schema, readOwnJsonSchema(schema, conversion));
}

/** The JSON Schema that a schema gives of itself, for libraries whose schemas this SDK does not convert. */
export function readOwnJsonSchema(schema: StandardSchema, conversion: Conversion): JsonSchema {
  if (isStandardJsonSchema(schema)) return readJsonSchema(schema, conversion);
  const { vendor } = schema['~standard'];
  const fix =
    vendor === 'valibot'
      ? 'Wrap it: toStandardJsonSchema(schema) from "@valibot/to-json-schema".'
      : 'Use a version of the library with Standard JSON Schema support, or pass a plain JSON Schema.';
  return conversion.fail(`is a ${vendor} schema that cannot produce a JSON Schema. ${fix}`);
}

/** Whether a field of a shape may be left out. */
export function isOptionalField(schema: LibrarySchema, side: 'input' | 'output'): boolean {
  if (isZod4(schema)) return isZod4Optional(schema, side);
  return isZod3(schema) ? isZod3Optional(schema) : acceptsUndefined(schema);
}

/** The validator of a schema. The method of a zod schema is looked up once here, not in each call. */
export function bindValidator(schema: LibrarySchema, conversion: Conversion): Validate {
  const validate = isZod4(schema) || isZod3(schema) ? bindZodValidator(schema) : undefined;
  if (validate) return validate;
  if (!isStandardSchema(schema))
    return conversion.fail('cannot validate values. Use a schema from a released version of zod.');
  const standard = schema['~standard'];
  return (value) => standard.validate(value);
}

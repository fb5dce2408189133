// Compiles a shape, which is an object whose values are schemas. The fields may be of different libraries.
import { bindValidator, convertSchema, isOptionalField, type LibrarySchema } from './any-schema.js';
import {
  compileAtOnce,
  compileOnUse,
  DRAFT_07,
  setOwn,
  type CompiledSchema,
  type JsonSchema,
  type SchemaSource,
  type SchemaSubject,
} from './compiled-schema.js';
import { Conversion } from './conversion.js';
import { parseShorthand, type ShorthandField } from './shorthand.js';
import { isPlainZod4 } from './zod/plain-zod-4.js';
import { isZod3 } from './zod/zod-3-schema.js';
import { isZod4 } from './zod/zod-4-schema.js';
import { validateShape, type ShapeField } from './validate-shape.js';

/** A field is a schema of any library, or a type written as text. */
export type RawShape = Record<string, LibrarySchema | string>;

/** A field of a shape. `json` is set if the JSON Schema of the field is already known. */
interface Entry {
  key: string;
  schema: LibrarySchema;
  json?: JsonSchema;
}

/**
 * Compiles a shape. Its validator drops unknown keys, applies defaults, and checks each field with its own schema. Fields
 * written as text and plain zod fields surely have a JSON Schema. If all fields are such, the shape is compiled on first use.
 */
export function compileShape(shape: RawShape, about: SchemaSubject): CompiledSchema {
  let isPlain = true;
  // The fields are copied now, because the caller may change the same object for the next tool.
  const entries = Object.entries(shape).map(([key, schema]): Entry => {
    if (typeof schema === 'string') return { key, ...readText(key, schema, about) };
    isPlain &&= isPlainZod4(schema);
    return { key, schema };
  });
  const source: SchemaSource = {
    write: () => writeShape(entries, new Conversion(about)),
    bind: () => bindShape(entries, new Conversion(about)),
  };
  return isPlain ? compileOnUse(source) : compileAtOnce(source);
}

function readText(key: string, text: string, about: SchemaSubject): ShorthandField {
  const conversion = new Conversion(about);
  return conversion.within(`.${key}`, () => parseShorthand(text, conversion));
}

function bindShape(entries: readonly Entry[], conversion: Conversion): CompiledSchema['validate'] {
  const fields = entries.map(({ key, schema }) =>
    conversion.within(`.${key}`, () => createField(key, schema, conversion)),
  );
  return (value) => validateShape(fields, conversion.side, value);
}

function writeShape(entries: readonly Entry[], conversion: Conversion): JsonSchema {
  const { side } = conversion;
  const properties: JsonSchema = {};
  const required: string[] = [];
  for (const { key, schema, json } of entries) {
    conversion.within(`.${key}`, () => {
      setOwn(properties, key, json ?? convertSchema(schema, conversion));
      if (!isOptionalField(schema, side)) required.push(key);
    });
  }
  const json: JsonSchema = { $schema: DRAFT_07, type: 'object', properties };
  if (required.length > 0) json['required'] = required;
  // Both versions of zod list an object that drops unknown keys as closed: zod 3 always, and zod 4 for outputs.
  const isClosed = entries.every(({ schema }) => (side === 'output' ? isZod(schema) : isZod3(schema)));
  if (isClosed && entries.length > 0) json['additionalProperties'] = false;
  return conversion.finish(json);
}

function createField(key: string, schema: LibrarySchema, conversion: Conversion): ShapeField {
  const { optin, optout } = isZod4(schema) ? schema._zod : {};
  return {
    key,
    validate: bindValidator(schema, conversion),
    mustBePresent: isZod4(schema) && optin === undefined,
    isFreeToBeAbsent: optin !== undefined && optout === 'optional',
  };
}

function isZod(schema: unknown): boolean {
  return isZod3(schema) || isZod4(schema);
}

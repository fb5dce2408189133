// A shape: an object whose values are schemas, each field converted by its own library.
import { bindValidator, convertSchema, isOptionalField, type LibrarySchema } from './any-schema.js';
import {
  DRAFT_07,
  setOwn,
  type CompiledSchema,
  type JsonSchema,
  type SchemaSubject,
} from './compiled-schema.js';
import { Conversion } from './conversion.js';
import { parseShorthand } from './shorthand.js';
import { isZod3 } from './zod/zod-3-schema.js';
import { isZod4 } from './zod/zod-4-schema.js';
import { validateShape, type Field } from './validate-shape.js';

/** A field is a schema of any library, or a type written as text. */
export type Shape = Record<string, LibrarySchema | string>;

/** Compiles a shape: unknown keys are dropped, defaults applied, each field checked by its own schema. */
export function compileShape(shape: Shape, about: SchemaSubject): CompiledSchema {
  const conversion = new Conversion(about);
  const properties: JsonSchema = {};
  const required: string[] = [];
  const fields: Field[] = [];
  for (const [key, entry] of Object.entries(shape)) {
    conversion.within(`.${key}`, () => {
      const schema = typeof entry === 'string' ? parseShorthand(entry, conversion) : entry;
      setOwn(properties, key, convertSchema(schema, conversion));
      if (!isOptionalField(schema, about.side)) required.push(key);
      fields.push(createField(key, schema, conversion));
    });
  }
  const json: JsonSchema = { $schema: DRAFT_07, type: 'object', properties };
  if (required.length > 0) json['required'] = required;
  const schemas = Object.values(shape);
  // As each zod lists an object that drops unknown keys.
  const isClosed = schemas.length > 0 && schemas.every(about.side === 'output' ? isZod : isZod3);
  if (isClosed) json['additionalProperties'] = false;
  return {
    jsonSchema: conversion.finish(json),
    validate: (value) => validateShape(fields, about.side, value),
  };
}

function createField(key: string, schema: LibrarySchema, conversion: Conversion): Field {
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

// A shape: an object whose values are schemas, each field converted and validated by its own library.
import { isRecord, isThenable } from '../../util/guards.js';
import { bindValidator, convertSchema, isOptionalField, type LibrarySchema } from './any-schema.js';
import {
  DRAFT_07,
  kindOf,
  setOwn,
  type CompiledSchema,
  type JsonSchema,
  type SchemaIssue,
  type SchemaSubject,
  type ValidationResult,
} from './compiled-schema.js';
import { Conversion } from './conversion.js';
import { parseShorthand } from './shorthand.js';
import { readIssues, type StandardResult, type Validate } from './standard-schema.js';
import { isZod3 } from './zod/zod-3.js';
import { isZod4 } from './zod/zod-4-schema.js';

/** A field is a schema of any library, or a type written as text. */
export type Shape = Record<string, LibrarySchema | string>;

interface Field {
  key: string;
  validate: Validate;
  /** zod 4 asks for the key itself, even where the value may be anything. */
  mustBePresent: boolean;
  /** An optional field of zod 4 that is left out is not looked at. */
  isFreeToBeAbsent: boolean;
}

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

function validateShape(
  fields: readonly Field[],
  side: 'input' | 'output',
  value: unknown,
): ValidationResult | Promise<ValidationResult> {
  // A call without arguments is a call with none of them.
  const input = value === undefined && side === 'input' ? {} : value;
  if (!isRecord(input))
    return {
      ok: false,
      issues: [{ path: [], message: `Invalid input: expected object, received ${kindOf(input)}` }],
    };
  const results: (StandardResult | Promise<StandardResult>)[] = [];
  let isAsync = false;
  for (const { key, validate } of fields) {
    let result: StandardResult | Promise<StandardResult>;
    try {
      // Own keys only: a field called "constructor" is not given by every object.
      result = validate(Object.hasOwn(input, key) ? input[key] : undefined);
    } catch (error) {
      // Thrown when all fields are waited for, so that no other field's rejection is left alone.
      result = Promise.reject(error);
    }
    if (isThenable(result)) isAsync = true;
    results.push(result);
  }
  if (!isAsync) return settle(fields, input, results as StandardResult[]);
  return Promise.all(results.map((result) => Promise.resolve(result))).then((settled) =>
    settle(fields, input, settled),
  );
}

function settle(
  fields: readonly Field[],
  input: Record<string, unknown>,
  results: readonly StandardResult[],
): ValidationResult {
  const value: Record<string, unknown> = {};
  const issues: SchemaIssue[] = [];
  for (const [index, field] of fields.entries()) {
    const { key } = field;
    const result = results[index] as StandardResult;
    const isPresent = Object.hasOwn(input, key);
    if (result.issues !== undefined) {
      if (isPresent || !field.isFreeToBeAbsent) issues.push(...readIssues(result.issues, key));
    } else if (!isPresent && field.mustBePresent) {
      issues.push({ path: [key], message: 'Invalid input: expected nonoptional, received undefined' });
    } else if (isPresent || result.value !== undefined) setOwn(value, key, result.value);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value };
}

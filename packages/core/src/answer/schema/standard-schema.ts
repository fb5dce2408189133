// Reads the common interfaces of schema libraries. A Standard Schema validates values. A Standard JSON Schema also writes
// its own JSON Schema.
import { isRecord, isThenable } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import type { JsonSchema, SchemaIssue, ValidationResult } from './compiled-schema.js';
import type { Conversion } from './conversion.js';

/** A schema that can validate: zod from 3.24, valibot, arktype and others. */
export interface StandardSchema {
  '~standard': {
    vendor: string;
    validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

/** The result of a Standard Schema, which has either issues or a value. */
export interface StandardResult {
  value?: unknown;
  issues?:
    | ReadonlyArray<{ message: string; path?: ReadonlyArray<PropertyKey | { key: PropertyKey }> | undefined }>
    | undefined;
}

/** Validates one value. Returns a promise if the schema is asynchronous, or if that is not known beforehand. */
export type Validate = (value: unknown) => StandardResult | Promise<StandardResult>;

/** A Standard Schema that also knows its JSON Schema. */
export interface StandardJsonSchema extends StandardSchema {
  '~standard': StandardSchema['~standard'] & {
    jsonSchema: Record<'input' | 'output', (options: { target: string }) => unknown>;
  };
}

/** Whether a value is a Standard Schema. Functions can be one, because the types of arktype are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (!isRecord(value) && typeof value !== 'function') return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return isRecord(standard) && typeof standard.validate === 'function';
}

/** Whether a value is a Standard Schema that can write its own JSON Schema. */
export function isStandardJsonSchema(value: unknown): value is StandardJsonSchema {
  return isStandardSchema(value) && isRecord((value['~standard'] as { jsonSchema?: unknown }).jsonSchema);
}

/** Asks a schema for its JSON Schema, in draft-07 if possible. Throws a SchemaError if the schema cannot write one. */
export function readJsonSchema(schema: StandardJsonSchema, conversion: Conversion): JsonSchema {
  const write = schema['~standard'].jsonSchema[conversion.side];
  let refusal: unknown;
  for (const target of ['draft-07', 'draft-2020-12']) {
    try {
      const json: unknown = JSON.parse(JSON.stringify(write({ target })));
      if (isRecord(json)) return json;
      refusal = new TypeError(`the answer was ${JSON.stringify(json)}`);
    } catch (error) {
      refusal ??= error;
    }
  }
  return conversion.fail(
    `cannot become JSON Schema: ${messageOf(refusal).replace(/\.$/, '')} (reported by ${schema['~standard'].vendor}).`,
    refusal,
  );
}

/** Whether a schema accepts a missing value. It is tried out, for libraries whose schemas do not declare it. */
export function acceptsUndefined(schema: StandardSchema): boolean {
  try {
    const result = schema['~standard'].validate(undefined);
    if (isThenable(result)) {
      result.catch(() => {});
      return false;
    }
    return result.issues === undefined;
  } catch {
    return false;
  }
}

/** Turns the result of a Standard Schema into the form that this SDK uses. */
export function readStandardResult(result: StandardResult): ValidationResult {
  return result.issues === undefined
    ? { ok: true, value: result.value }
    : { ok: false, issues: readIssues(result.issues) };
}

/** The issues of a result with plain paths, below `prefix` if given. */
export function readIssues(issues: NonNullable<StandardResult['issues']>, prefix?: string): SchemaIssue[] {
  return Array.from(issues, ({ message, path = [] }) => {
    const plain = Array.from(path, (segment) => {
      const key = typeof segment === 'object' ? segment.key : segment;
      return typeof key === 'symbol' ? String(key) : key;
    });
    return { path: prefix === undefined ? plain : [prefix, ...plain], message };
  });
}

// Validates an object field by field. Each field is checked by its own library.
import { isRecord, isThenable } from '../../util/guards.js';
import { kindOf, setOwn, type SchemaIssue, type ValidationResult } from './compiled-schema.js';
import { readIssues, type StandardResult, type Validate } from './standard-schema.js';

/** One field of a shape. */
export interface ShapeField {
  key: string;
  validate: Validate;
  /** Whether the key itself is required, even if its value may be undefined. This is a rule of zod 4. */
  mustBePresent: boolean;
  /** Whether leaving the field out is always accepted. This is a rule of zod 4 for optional fields. */
  isFreeToBeAbsent: boolean;
}

/** Validates all fields. Returns a promise if the validator of a field does so or throws. Unknown keys are dropped. */
export function validateShape(
  fields: readonly ShapeField[],
  side: 'input' | 'output',
  value: unknown,
): ValidationResult | Promise<ValidationResult> {
  // A call without arguments counts as a call with an empty object.
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
      // Only own keys count, because every object inherits a key called "constructor".
      result = validate(Object.hasOwn(input, key) ? input[key] : undefined);
    } catch (error) {
      // The error is thrown later, when all fields are awaited. Otherwise the rejection of another field could be left
      // unhandled.
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
  fields: readonly ShapeField[],
  input: Record<string, unknown>,
  results: readonly StandardResult[],
): ValidationResult {
  const value: Record<string, unknown> = {};
  let issues: SchemaIssue[] | undefined;
  // The loop counts an index, because the pairs that `entries` makes would add measurably to the cost of a call.
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as ShapeField;
    const { key } = field;
    const result = results[index] as StandardResult;
    const isPresent = Object.hasOwn(input, key);
    if (result.issues !== undefined) {
      // The issues are added one by one, because very many arguments of `push` would overflow the stack.
      if (isPresent || !field.isFreeToBeAbsent)
        for (const issue of readIssues(result.issues, key)) (issues ??= []).push(issue);
    } else if (!isPresent && field.mustBePresent) {
      (issues ??= []).push({
        path: [key],
        message: 'Invalid input: expected nonoptional, received undefined',
      });
    } else if (isPresent || result.value !== undefined) {
      if (key === '__proto__') setOwn(value, key, result.value);
      else value[key] = result.value;
    }
  }
  return issues ? { ok: false, issues } : { ok: true, value };
}

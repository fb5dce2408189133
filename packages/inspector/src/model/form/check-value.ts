// Checks a value while a person writes it, so that a mistake is shown at its field. Only the keywords that forms use are
// checked here. The receiver of the value checks it with the whole schema. Patterns are left to the receiver, because a
// server could send one whose check never ends.
import { isRecord } from '@inboard/core/util/guards.js';
import type { ValuePath } from '../../stream/question.js';
import { diffEdits } from './input-edits.js';
import { readShape, typeOfValue, type Schema, type FormShape } from './form-shape.js';

/** One mistake. */
export interface FieldIssue {
  path: ValuePath;
  /** Follows the field's name in a sentence: "must be a whole number". */
  message: string;
}

/** A value and where it stands. */
interface Place {
  value: unknown;
  path: ValuePath;
  root: unknown;
}

/** All mistakes that were found; empty for a value that fits. */
export function checkValue(
  schema: unknown,
  value: unknown,
  root: unknown = schema,
  path: ValuePath = [],
): FieldIssue[] {
  if (schema === false) return [{ path, message: 'is not known here' }];
  const shape = readShape(schema, root, value);
  if (value === null && shape.isNullable) return [];
  const message = findMistake(shape, value);
  if (message !== undefined) return [{ path, message }];
  const place: Place = { value, path, root };
  if (shape.kind === 'object') return checkObject(shape, place);
  if (shape.kind === 'list') return checkList(shape, place);
  if (shape.kind === 'union') return checkUnion(shape, place);
  return [];
}

function findMistake(shape: FormShape, value: unknown): string | undefined {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? findTextMistake(shape, value) : 'must be text';
    case 'number':
      return typeof value === 'number' ? findNumberMistake(shape, value) : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be yes or no';
    case 'choice':
      return shape.options.some((option) => diffEdits(option.value, value).length === 0)
        ? undefined
        : `must be ${shape.options.length === 1 ? '' : 'one of '}${shape.options.map(({ label }) => label).join(', ')}`;
    case 'object':
      return isRecord(value) ? undefined : 'must be an object';
    case 'list':
      return Array.isArray(value) ? findLengthMistake(value.length, shape) : 'must be a list';
    default:
      return undefined;
  }
}

function findTextMistake({ schema, ...shape }: FormShape, value: string): string | undefined {
  const { minLength, maxLength } = schema;
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = Array.from(value);
  if (typeof minLength === 'number' && length < minLength)
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  if (typeof maxLength === 'number' && length > maxLength) return `must have at most ${maxLength} characters`;
  return shape.kind === 'text' ? findFormatMistake(shape.format, value) : undefined;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:z|[-+]\d{2}:\d{2})?$/i;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:z|[-+]\d{2}:\d{2})$/i;

function findFormatMistake(format: string, value: string): string | undefined {
  switch (format) {
    case 'date':
      return DATE.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : 'must be a date like 2026-11-16';
    case 'date-time':
      return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : 'must be a date and time like 2026-11-16T09:30:00Z';
    case 'time':
      return TIME.test(value) ? undefined : 'must be a time like 09:30:00Z';
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'must be an email address';
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) ? undefined : 'must be a full URL, like https://…';
    default:
      return undefined;
  }
}

export function findNumberMistake(shape: FormShape, value: number): string | undefined {
  if (shape.kind === 'number' && shape.isInteger && !Number.isInteger(value)) return 'must be a whole number';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape.schema;
  if (typeof minimum === 'number' && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `must be at most ${maximum}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return `must be more than ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return `must be less than ${exclusiveMaximum}`;
  if (typeof multipleOf === 'number' && multipleOf > 0) {
    const parts = value / multipleOf;
    if (Math.abs(parts - Math.round(parts)) > 1e-9) return `must be a multiple of ${multipleOf}`;
  }
  return undefined;
}

function findLengthMistake(
  length: number,
  { minItems, maxItems }: { minItems: number; maxItems: number },
): string | undefined {
  if (length < minItems) return `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`;
  return length > maxItems ? `must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}` : undefined;
}

function checkObject(
  shape: Extract<FormShape, { kind: 'object' }>,
  { value, path, root }: Place,
): FieldIssue[] {
  const fields = value as Record<string, unknown>;
  const known = new Set(shape.properties.map(({ name }) => name));
  const isOpen = isRecord(shape.schema['patternProperties']);
  return [
    ...shape.properties.flatMap(({ name, schema, isRequired }) => {
      if (Object.hasOwn(fields, name)) return checkValue(schema, fields[name], root, [...path, name]);
      return isRequired ? [{ path: [...path, name], message: 'is required' }] : [];
    }),
    ...Object.keys(fields)
      .filter((name) => !known.has(name) && !isOpen)
      .flatMap((name) => checkValue(shape.additional, fields[name], root, [...path, name])),
  ];
}

function checkList(shape: Extract<FormShape, { kind: 'list' }>, { value, path, root }: Place): FieldIssue[] {
  return (value as unknown[]).flatMap((item, index) =>
    checkValue(shape.prefix[index] ?? shape.items, item, root, [...path, index]),
  );
}

function checkUnion(
  shape: Extract<FormShape, { kind: 'union' }>,
  { value, path, root }: Place,
): FieldIssue[] {
  const variant = shape.variants[findVariant(shape.variants, value, root)];
  return variant ? checkValue(variant.schema, value, root, path) : [];
}

/**
 * The index of the variant that a value fits. If none fits, it is the variant with the fewest mistakes; variants of another
 * type than the value come last.
 */
export function findVariant(
  variants: ReadonlyArray<{ schema: unknown }>,
  value: unknown,
  root: unknown,
): number {
  let best = { index: 0, mistakes: Number.POSITIVE_INFINITY };
  for (const [index, { schema }] of variants.entries()) {
    const issues = checkValue(schema, value, root);
    const isOtherType = issues.some(({ path }) => path.length === 0) && !hasType(schema as Schema, value);
    const mistakes = issues.length + (isOtherType ? 1000 : 0);
    if (mistakes < best.mistakes) best = { index, mistakes };
  }
  return best.index;
}

function hasType(schema: Schema, value: unknown): boolean {
  return schema['type'] === typeOfValue(value);
}

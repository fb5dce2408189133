// Lists the keywords that the CLI's validator knows. They are those of draft-07 and a few later ones that do not limit
// values. The validator refuses a whole schema for one unknown keyword, or for one keyword with a wrong value.
import { isRecord } from '../../../util/guards.js';
import { isRegExp } from '../json-schema/check-json-schema.js';

interface Keyword {
  /** The form of its value, as the end of a sentence. */
  expected: string;
  fits(value: unknown): boolean;
  /** Set for a keyword that does not limit values. If its own value is wrong, the keyword can be left out. */
  isNote?: true;
}

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isSchema = (value: unknown): boolean => isRecord(value) || typeof value === 'boolean';
const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);
const isMapOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  isRecord(value) && Object.values(value).every(fits);
const isType = (value: unknown): boolean => TYPES.has(value as string);

const anything: Keyword = { expected: 'any value', fits: () => true };
const text: Keyword = { expected: 'a text', fits: isText };
const flag: Keyword = { expected: 'true or false', fits: isFlag };
const number: Keyword = { expected: 'a number', fits: (value) => typeof value === 'number' };
const count: Keyword = {
  expected: 'a whole number of at least 0',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const schema: Keyword = { expected: 'a schema', fits: isSchema };
const schemas: Keyword = {
  expected: 'a list of at least one schema',
  fits: (value) => isListOf(value, isSchema) && (value as unknown[]).length > 0,
};
const schemaMap: Keyword = {
  expected: 'an object that maps names to schemas',
  fits: (value) => isMapOf(value, isSchema),
};
const names: Keyword = { expected: 'a list of names', fits: (value) => isListOf(value, isText) };
const note = (keyword: Keyword): Keyword => ({ ...keyword, isNote: true });

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $schema: note(text),
  $id: text,
  $ref: text,
  $comment: note(text),
  $defs: schemaMap,
  definitions: schemaMap,
  title: note(text),
  description: note(text),
  default: anything,
  deprecated: note(flag),
  readOnly: note(flag),
  writeOnly: note(flag),
  examples: note({ expected: 'a list', fits: Array.isArray }),
  contentEncoding: note(text),
  contentMediaType: note(text),
  contentSchema: note(schema),
  nullable: note(flag),
  type: {
    expected: `one of ${[...TYPES].join(', ')}, or a list of them`,
    fits: (value) => isType(value) || (isListOf(value, isType) && (value as unknown[]).length > 0),
  },
  const: anything,
  enum: { expected: 'a list of values', fits: Array.isArray },
  format: text,
  pattern: {
    expected: 'a regular expression',
    fits: (value) => isRegExp(value, 'u') || isRegExp(value, ''),
  },
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: {
    expected: 'a number above 0',
    fits: (value) => typeof value === 'number' && value > 0,
  },
  items: {
    expected: 'a schema, or a list of at least one',
    fits: (value) => isSchema(value) || schemas.fits(value),
  },
  additionalItems: schema,
  contains: schema,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  properties: schemaMap,
  patternProperties: {
    expected: 'an object that maps regular expressions (with the "u" flag) to schemas',
    fits: (value) => schemaMap.fits(value) && Object.keys(value as object).every((key) => isRegExp(key, 'u')),
  },
  additionalProperties: schema,
  propertyNames: schema,
  minProperties: count,
  maxProperties: count,
  required: names,
  dependencies: {
    expected: 'an object that maps names to schemas or to lists of names',
    fits: (value) => isMapOf(value, (part) => isSchema(part) || isListOf(part, isText)),
  },
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  // These names stand in a list, because an object literal with the key "then" looks like a promise.
  ...Object.fromEntries(['not', 'if', 'then', 'else'].map((name) => [name, schema])),
};

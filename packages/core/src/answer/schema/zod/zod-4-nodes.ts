// Has one writer for each kind of zod 4 schema that is no wrapper. The wrappers (`optional`, `default`, …) are in `zod-4`.
import type { JsonSchema } from '../compiled-schema.js';
import type { Conversion } from '../conversion.js';
import {
  listEnumValues,
  writeChoice,
  writeConstant,
  writeFields,
  writeArraySchema,
} from '../json-schema/json-nodes.js';
import { intersect } from '../json-schema/merge-objects.js';
import { uniteTypes } from '../json-schema/unite-schemas.js';
import { readChecks } from './zod-4-checks.js';
import { writeNumber, writeString } from './zod-4-keywords.js';
import type { Zod4Definition, Zod4Schema } from './zod-4-schema.js';
import { isZod4Optional } from './zod-4-traits.js';

/** A schema to write, and the function that writes its parts. */
export interface Zod4Node {
  schema: Zod4Schema;
  def: Zod4Definition;
  conversion: Conversion;
  /** Converts a part; `segment` is its path in error messages. */
  part: (segment: string, schema: Zod4Schema | undefined) => JsonSchema;
}

/** The writers by `def.type`. */
export const zod4Writers: Record<string, (node: Zod4Node) => JsonSchema> = {
  string: ({ schema }) => writeString(readChecks(schema)),
  number: ({ schema }) => writeNumber(readChecks(schema)),
  boolean: () => ({ type: 'boolean' }),
  success: () => ({ type: 'boolean' }),
  null: () => ({ type: 'null' }),
  any: () => ({}),
  unknown: () => ({}),
  never: () => ({ not: {} }),
  date: writeDate,
  enum: ({ def }) => writeChoice(listEnumValues(def.entries ?? {})),
  literal: writeLiteral,
  template_literal: ({ schema }) => ({ type: 'string', pattern: schema._zod.pattern?.source }),
  array: writeArray,
  object: writeObject,
  union: writeUnion,
  nullable: ({ def, part }) => uniteTypes([part('', def.innerType), { type: 'null' }]),
  intersection: ({ def, part }) => intersect(part('', def.left), part('', def.right)),
  tuple: writeTuple,
  record: writeRecord,
  file: () => ({ type: 'string', format: 'binary', contentEncoding: 'binary' }),
};

function writeDate({ def, conversion }: Zod4Node): JsonSchema {
  // A date can be sent only as a text, so only a coerced date is accepted. zod's own converter refuses even that.
  if (def.coerce && conversion.side === 'input') return { type: 'string', format: 'date-time' };
  return conversion.fail(
    'is a Date, which JSON cannot represent. Use z.iso.datetime() for a string, or z.coerce.date() to get a Date from it.',
  );
}

function writeLiteral({ def, conversion }: Zod4Node): JsonSchema {
  const values = def.values ?? [];
  if (values.some((value) => value === undefined || typeof value === 'bigint'))
    conversion.fail(
      'has a literal undefined or bigint, which JSON cannot represent. Use .optional() or a number.',
    );
  return values.length === 1 ? writeConstant(values[0]) : writeChoice(values);
}

function writeArray({ schema, def, part }: Zod4Node): JsonSchema {
  const { minimum, maximum } = readChecks(schema);
  return writeArraySchema(part('[]', def.element), minimum, maximum);
}

function writeObject({ def, conversion, part }: Zod4Node): JsonSchema {
  const json = writeFields(
    def.shape ?? {},
    (key, field) => part(`.${key}`, field),
    (field) => isZod4Optional(field, conversion.side),
  );
  if (def.catchall === undefined) {
    if (conversion.side === 'output') json['additionalProperties'] = false;
  } else
    json['additionalProperties'] = def.catchall._zod.def.type === 'never' ? false : part('[*]', def.catchall);
  return json;
}

function writeUnion({ def, part }: Zod4Node): JsonSchema {
  const branches = (def.options ?? []).map((option, index) => part(`(option ${index + 1})`, option));
  return def.inclusive === false ? { oneOf: branches } : uniteTypes(branches);
}

function writeTuple({ schema, def, conversion, part }: Zod4Node): JsonSchema {
  const items = def.items ?? [];
  let needed = items.length;
  while (needed > 0 && isZod4Optional(items[needed - 1] as Zod4Schema, conversion.side)) needed -= 1;
  const checks = readChecks(schema);
  const minItems = checks.minimum ?? needed;
  const maxItems = checks.maximum ?? (def.rest ? undefined : items.length);
  return {
    type: 'array',
    items: items.map((item, index) => part(`[${index}]`, item)),
    additionalItems: def.rest ? part('[]', def.rest) : false,
    ...(minItems > 0 && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

function writeRecord({ def, conversion, part }: Zod4Node): JsonSchema {
  const key = def.keyType as Zod4Schema;
  const { patterns } = readChecks(key);
  if (def.mode === 'loose' && patterns.length > 0) {
    const value = part('[*]', def.valueType);
    return {
      type: 'object',
      patternProperties: Object.fromEntries(patterns.map((known) => [known.source, value])),
    };
  }
  const propertyNames = writeKeyNames(part('[key]', key));
  const json: JsonSchema = {
    type: 'object',
    propertyNames,
    additionalProperties: part('[*]', def.valueType),
  };
  const names = [...(key._zod.values ?? [])].filter(
    (name) => typeof name === 'string' || typeof name === 'number',
  );
  const isOmittable =
    conversion.side === 'input' && def.valueType !== undefined && isZod4Optional(def.valueType, 'input');
  if (names.length > 0 && !def.partial && !isOmittable) json['required'] = names.map(String);
  return json;
}

/** The schema of property names. They are always strings, so a key schema of numbers becomes a pattern of digits. */
function writeKeyNames(key: JsonSchema): JsonSchema {
  const branches = key['anyOf'];
  if (Array.isArray(branches))
    return { ...key, anyOf: branches.map((branch) => writeKeyNames(branch as JsonSchema)) };
  const isNumeric = [key['type']].flat().every((type) => type === 'number' || type === 'integer');
  const type = isNumeric ? { type: 'string' } : {};
  if (typeof key['const'] === 'number') return { ...key, ...type, const: String(key['const']) };
  if (Array.isArray(key['enum']))
    return {
      ...key,
      ...type,
      enum: key['enum'].map((value) => (typeof value === 'number' ? String(value) : value)),
    };
  if (!isNumeric) return key;
  return { ...type, pattern: key['type'] === 'integer' ? '^-?\\d+$' : '^-?\\d+(?:\\.\\d+)?$' };
}

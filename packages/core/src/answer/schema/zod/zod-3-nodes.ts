// Has one writer for each kind of zod 3 schema that JSON can represent. Kinds without a writer are refused. `zod-3` handles
// the wrappers (`optional`, `default`, …), except `nullable`.
// Objects that drop or refuse other keys are closed (`additionalProperties: false`), as in most tool listings for zod 3.
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
import { writeNumber3, writeString3 } from './zod-3-checks.js';
import { isZod3Optional, listOptions, type Zod3Definition, type Zod3Schema } from './zod-3-schema.js';

/** The advice for kinds that JSON cannot carry. */
export const zod3Hints: Record<string, string> = {
  ZodDate: 'Use z.string().datetime() for a string, or z.coerce.date() to get a Date from it.',
  ZodBigInt: 'Use z.number() or a string.',
  ZodMap: 'Use z.record().',
  ZodSet: 'Use z.array().',
  ZodNaN: 'Use z.number().',
};

/** Converts a part; `segment` is its path in error messages. */
type Part = (segment: string, schema: Zod3Schema | undefined) => JsonSchema;

/** The writers by `typeName`. */
export const zod3Writers: Record<
  string,
  (def: Zod3Definition, part: Part, conversion: Conversion) => JsonSchema
> = {
  ZodString: (def) => writeString3(def.checks ?? []),
  ZodNumber: (def) => writeNumber3(def.checks ?? []),
  ZodBoolean: () => ({ type: 'boolean' }),
  ZodNull: () => ({ type: 'null' }),
  ZodAny: () => ({}),
  ZodUnknown: () => ({}),
  ZodNever: () => ({ not: {} }),
  ZodUndefined: () => ({ not: {} }),
  ZodVoid: () => ({ not: {} }),
  ZodDate: (def, _part, conversion) =>
    def.coerce && conversion.side === 'input'
      ? { type: 'string', format: 'date-time' }
      : conversion.fail(`is a Date, which JSON cannot represent. ${zod3Hints['ZodDate']}`),
  ZodLiteral: ({ value }, _part, conversion) =>
    value === undefined || typeof value === 'bigint' || typeof value === 'symbol'
      ? conversion.fail(
          `is a literal ${typeof value}, which JSON cannot represent. Use .optional() or another value.`,
        )
      : writeConstant(value),
  ZodEnum: (def) => writeChoice(def.values as unknown[]),
  ZodNativeEnum: (def) => writeChoice(listEnumValues(def.values as Record<string, string | number>)),
  ZodArray: writeArray,
  ZodObject: writeObject,
  ZodUnion: (def, part) => uniteTypes(writeOptions(def, part)),
  ZodDiscriminatedUnion: (def, part) => ({ oneOf: writeOptions(def, part) }),
  ZodNullable: (def, part) => uniteTypes([part('', def.innerType), { type: 'null' }]),
  ZodIntersection: (def, part) => intersect(part('', def.left), part('', def.right)),
  ZodTuple: writeTuple,
  ZodRecord: writeRecord,
};

function writeArray(def: Zod3Definition, part: Part): JsonSchema {
  const exact = def.exactLength?.value;
  return writeArraySchema(part('[]', def.type), exact ?? def.minLength?.value, exact ?? def.maxLength?.value);
}

function writeObject(def: Zod3Definition, part: Part): JsonSchema {
  const json = writeFields(def.shape?.() ?? {}, (key, field) => part(`.${key}`, field), isZod3Optional);
  if (def.catchall && def.catchall._def.typeName !== 'ZodNever')
    json['additionalProperties'] = part('[*]', def.catchall);
  else json['additionalProperties'] = def.unknownKeys === 'passthrough';
  return json;
}

function writeTuple(def: Zod3Definition, part: Part): JsonSchema {
  const items = def.items ?? [];
  return {
    type: 'array',
    items: items.map((item, index) => part(`[${index}]`, item)),
    additionalItems: def.rest ? part('[]', def.rest) : false,
    ...(items.length > 0 && { minItems: items.length }),
    ...(!def.rest && { maxItems: items.length }),
  };
}

function writeRecord(def: Zod3Definition, part: Part): JsonSchema {
  const names = part('[key]', def.keyType);
  // Every property name is a text, so a schema that only says so is left out.
  const isPlain = names['type'] === 'string' && Object.keys(names).length === 1;
  return {
    type: 'object',
    ...(!isPlain && { propertyNames: names }),
    additionalProperties: part('[*]', def.valueType),
  };
}

function writeOptions(def: Zod3Definition, part: Part): JsonSchema[] {
  return listOptions(def).map((option, index) => part(`(option ${index + 1})`, option));
}

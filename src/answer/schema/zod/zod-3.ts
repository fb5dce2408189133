// zod 3 to JSON Schema: a walk over `_def`, since zod 3 has no converter of its own. Objects are closed
// (`additionalProperties: false`) as users of zod 3 know them from tool listings.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';
import type { Conversion } from '../conversion.js';
import {
  inherit,
  listEnumValues,
  writeChoice,
  writeConstant,
  writeFields,
  writeList,
  writeValue,
} from '../json-schema/json-nodes.js';
import { intersect, uniteTypes } from '../json-schema/merge-objects.js';
import { writeNumber3, writeString3, type Zod3Check } from './zod-3-checks.js';

/** The part of a zod 3 schema that is read here. */
export interface Zod3Schema {
  _def: Zod3Definition;
}

interface Zod3Definition {
  typeName: string;
  description?: string;
  coerce?: boolean;
  checks?: Zod3Check[];
  /** The element of an array, the schema inside a brand or a promise. */
  type?: Zod3Schema;
  minLength?: { value: number } | null;
  maxLength?: { value: number } | null;
  exactLength?: { value: number } | null;
  shape?: () => Record<string, Zod3Schema>;
  unknownKeys?: 'strip' | 'strict' | 'passthrough';
  catchall?: Zod3Schema;
  options?: Zod3Schema[] | Map<unknown, Zod3Schema>;
  left?: Zod3Schema;
  right?: Zod3Schema;
  items?: Zod3Schema[];
  rest?: Zod3Schema | null;
  keyType?: Zod3Schema;
  valueType?: Zod3Schema;
  innerType?: Zod3Schema;
  getter?: () => Zod3Schema;
  schema?: Zod3Schema;
  effect?: { type: 'refinement' | 'transform' | 'preprocess' };
  in?: Zod3Schema;
  out?: Zod3Schema;
  value?: unknown;
  values?: unknown[] | Record<string, string | number>;
  defaultValue?: () => unknown;
  catchValue?: (context: unknown) => unknown;
}

/** Whether a value was made by any copy of zod 3. */
export function isZod3(value: unknown): value is Zod3Schema {
  return isRecord(value) && isRecord(value['_def']) && typeof value['_def']['typeName'] === 'string';
}

/** Whether the key of such a field may be left out; read from the schema, so that no user code runs. */
export function isZod3Optional(schema: Zod3Schema): boolean {
  const { _def: def } = schema;
  switch (def.typeName) {
    case 'ZodOptional':
    case 'ZodDefault':
    case 'ZodCatch':
    case 'ZodAny':
    case 'ZodUnknown':
    case 'ZodUndefined':
    case 'ZodVoid':
      return true;
    case 'ZodLiteral':
      return def.value === undefined;
    case 'ZodUnion':
      return listOptions(def).some(isZod3Optional);
    case 'ZodIntersection':
      return [def.left, def.right].every((side) => side !== undefined && isZod3Optional(side));
    case 'ZodLazy':
      return def.getter !== undefined && isZod3Optional(def.getter());
    default: {
      const inner =
        def.innerType ?? def.schema ?? def.in ?? (def.typeName === 'ZodBranded' ? def.type : undefined);
      return inner !== undefined && isZod3Optional(inner);
    }
  }
}

/** Writes a zod 3 schema as JSON Schema; throws a SchemaError where JSON has no such thing. */
export function convertZod3(schema: Zod3Schema, conversion: Conversion): JsonSchema {
  return conversion.visit(schema, undefined, () => {
    const { _def: def } = schema;
    const notes = def.description === undefined ? {} : { description: def.description };
    const wrapper = readWrapper(def, conversion);
    if (!wrapper) return { ...writeNode(def, conversion), ...notes };
    return inherit({ ...wrapper.notes, ...notes }, convertZod3(wrapper.inner, conversion));
  });
}

interface Wrapper {
  inner: Zod3Schema;
  notes: JsonSchema;
}

function readWrapper(def: Zod3Definition, conversion: Conversion): Wrapper | undefined {
  const isInput = conversion.side === 'input';
  const wrap = (inner: Zod3Schema | undefined, notes: JsonSchema = {}): Wrapper =>
    isZod3(inner)
      ? { inner, notes }
      : conversion.fail(`has a ${def.typeName} around something that is not zod 3.`);
  switch (def.typeName) {
    case 'ZodOptional':
      return wrap(def.innerType);
    case 'ZodDefault':
      return wrap(
        def.innerType,
        writeValue('default', () => def.defaultValue?.()),
      );
    case 'ZodCatch':
      return wrap(
        def.innerType,
        writeValue('default', () => def.catchValue?.({ error: undefined, input: undefined })),
      );
    case 'ZodReadonly':
      return wrap(def.innerType, { readOnly: true });
    case 'ZodBranded':
      return wrap(def.type);
    case 'ZodLazy':
      return wrap(def.getter?.());
    case 'ZodPipeline':
      return wrap(isInput ? def.in : def.out);
    case 'ZodEffects':
      if (!isInput && def.effect?.type === 'transform')
        conversion.fail(
          'ends in a transform, so what comes out is unknown. Add .pipe() with a schema of the result.',
        );
      return wrap(def.schema);
    default:
      return undefined;
  }
}

function writeNode(def: Zod3Definition, conversion: Conversion): JsonSchema {
  const part = (segment: string, schema: Zod3Schema | undefined): JsonSchema =>
    conversion.within(segment, () =>
      isZod3(schema) ? convertZod3(schema, conversion) : conversion.fail('is not a zod 3 schema.'),
    );
  const write = writers[def.typeName];
  if (write) return write(def, part, conversion);
  return conversion.fail(
    `is a ${def.typeName}, which JSON cannot carry. ${HINTS[def.typeName] ?? 'Use another schema.'}`,
  );
}

const HINTS: Record<string, string> = {
  ZodDate: 'Use z.string().datetime() for a text, or z.coerce.date() to get a Date from it.',
  ZodBigInt: 'Use z.number() or a string.',
  ZodMap: 'Use z.record().',
  ZodSet: 'Use z.array().',
  ZodNaN: 'Use z.number().',
};

type Part = (segment: string, schema: Zod3Schema | undefined) => JsonSchema;

const writers: Record<string, (def: Zod3Definition, part: Part, conversion: Conversion) => JsonSchema> = {
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
      : conversion.fail(`is a Date, which JSON cannot carry. ${HINTS['ZodDate']}`),
  ZodLiteral: ({ value }, _part, conversion) =>
    value === undefined || typeof value === 'bigint' || typeof value === 'symbol'
      ? conversion.fail(
          `is a literal ${typeof value}, which JSON cannot carry. Use .optional() or another value.`,
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
  return writeList(part('[]', def.type), exact ?? def.minLength?.value, exact ?? def.maxLength?.value);
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
  // Any text is what a property name is anyway.
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

function listOptions(def: Zod3Definition): Zod3Schema[] {
  return [...(def.options instanceof Map ? def.options.values() : (def.options ?? []))];
}

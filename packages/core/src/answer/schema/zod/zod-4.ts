// Converts schemas of zod 4 and zod/mini to JSON Schema by walking over `_zod.def`. zod itself is never imported, and any
// copy of zod may have made the schema. If zod's own converter can write the schema, too, both results mean the same.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';
import type { Conversion } from '../conversion.js';
import { inherit, writeValue } from '../json-schema/json-nodes.js';
import { isStandardJsonSchema, readJsonSchema } from '../standard-schema.js';
import { zod4Writers } from './zod-4-nodes.js';
import { isZod4, type Zod4Schema } from './zod-4-schema.js';
import { isTransforming, readZod4Meta } from './zod-4-traits.js';

const HINTS: Record<string, string> = {
  transform: 'Use z.preprocess() or .pipe() to declare the input and the output.',
  bigint: 'Use z.number() or a string.',
  map: 'Use z.record().',
  set: 'Use z.array().',
  undefined: 'Use .optional().',
  void: 'Use .optional().',
  nan: 'Use z.number().',
  symbol: 'Use a string.',
  function: 'Plain data cannot contain functions.',
  custom: 'Use a schema of a known type, with .refine() for the rest.',
};

/** Writes a zod 4 schema as JSON Schema. Throws a SchemaError for values that JSON cannot represent. */
export function convertZod4(schema: Zod4Schema, conversion: Conversion): JsonSchema {
  const { id, ...notes } = readZod4Meta(schema);
  return conversion.visit(schema, typeof id === 'string' ? id : undefined, () => {
    const wrapper = readWrapper(schema, conversion);
    const own: JsonSchema = { ...(wrapper ? wrapper.notes : writeNode(schema, conversion)), ...notes };
    if (conversion.side === 'input' && ('default' in own || 'examples' in own) && isTransforming(schema)) {
      // A default and examples describe the result of the transform, not what the caller sends.
      delete own['default'];
      delete own['examples'];
    }
    if (wrapper?.prefault && !('default' in own)) Object.assign(own, wrapper.prefault);
    if (wrapper) return inherit(own, convertZod4(wrapper.inner, conversion));
    return inherit(own, referToShared(schema, own, conversion));
  });
}

interface Wrapper {
  inner: Zod4Schema;
  /** The wrapper's own keywords. */
  notes: JsonSchema;
  /** The default of `prefault()`. It is an input, so it is not listed for the output side. */
  prefault?: JsonSchema;
}

function readWrapper(schema: Zod4Schema, conversion: Conversion): Wrapper | undefined {
  const { def } = schema._zod;
  const isInput = conversion.side === 'input';
  const wrap = (inner: Zod4Schema | undefined, notes: JsonSchema = {}): Wrapper =>
    isZod4(inner)
      ? { inner, notes }
      : conversion.fail(`has a ${def.type} around something that is not a zod 4 schema.`);
  switch (def.type) {
    case 'optional':
    case 'nonoptional':
    case 'promise':
      return wrap(def.innerType);
    case 'default':
      return wrap(
        def.innerType,
        writeValue('default', () => def.defaultValue),
      );
    case 'prefault':
      return {
        ...wrap(def.innerType),
        ...(isInput && { prefault: writeValue('default', () => def.defaultValue) }),
      };
    case 'catch':
      return wrap(
        def.innerType,
        writeValue('default', () => def.catchValue?.(undefined)),
      );
    case 'readonly':
      return wrap(def.innerType, { readOnly: true });
    case 'lazy':
      return wrap(schema._zod.innerType ?? def.getter?.());
    case 'pipe':
      return wrap(isInput && def.in?._zod.def.type !== 'transform' ? def.in : def.out);
    default:
      return undefined;
  }
}

function writeNode(schema: Zod4Schema, conversion: Conversion): JsonSchema {
  const { def } = schema._zod;
  const custom = schema._zod.toJSONSchema?.();
  if (isRecord(custom)) return custom;
  const write = zod4Writers[def.type];
  if (write)
    return write({
      schema,
      def,
      conversion,
      part: (segment, part) =>
        conversion.within(segment, () =>
          isZod4(part) ? convertZod4(part, conversion) : conversion.fail('is not a zod 4 schema.'),
        ),
    });
  const hint = HINTS[def.type];
  // A kind of schema that is newer than this code may know its own JSON Schema.
  if (hint === undefined && isStandardJsonSchema(schema))
    return conversion.embed(schema, readJsonSchema(schema, conversion));
  return conversion.fail(
    `is a zod "${def.type}", which JSON Schema cannot express. ${hint ?? 'Use another schema.'}`,
  );
}

/**
 * The reference to the original, if `.describe()` or a check made this schema as a copy of a shared one. Keywords that
 * the original has as well are removed from `own`. Undefined for any other schema.
 */
function referToShared(schema: Zod4Schema, own: JsonSchema, conversion: Conversion): JsonSchema | undefined {
  const { parent } = schema._zod;
  if (!parent || (!conversion.sharedNode(parent) && readZod4Meta(parent)['id'] === undefined))
    return undefined;
  const ref = convertZod4(parent, conversion);
  const shared = conversion.sharedNode(parent) ?? {};
  for (const key of Object.keys(own))
    if (Object.hasOwn(shared, key) && JSON.stringify(shared[key]) === JSON.stringify(own[key]))
      delete own[key];
  return ref;
}

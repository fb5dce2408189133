// Converts zod 3 schemas to JSON Schema by walking over `_def`, because zod 3 has no converter of its own.
import type { JsonSchema } from '../compiled-schema.js';
import type { Conversion } from '../conversion.js';
import { inherit, writeValue } from '../json-schema/json-nodes.js';
import { isZod3, type Zod3Definition, type Zod3Schema } from './zod-3-schema.js';
import { zod3Hints, zod3Writers } from './zod-3-nodes.js';

/** Writes a zod 3 schema as JSON Schema. Throws a SchemaError for values that JSON cannot represent. */
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
      : conversion.fail(`has a ${def.typeName} around something that is not a zod 3 schema.`);
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
          'ends in a transform, so its output type is unknown. Add .pipe() with a schema for the result.',
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
  const write = zod3Writers[def.typeName];
  if (write) return write(def, part, conversion);
  return conversion.fail(
    `is a ${def.typeName}, which JSON cannot represent. ${zod3Hints[def.typeName] ?? 'Use another schema.'}`,
  );
}

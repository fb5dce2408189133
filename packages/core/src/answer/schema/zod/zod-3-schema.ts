// Declares the fields of a zod 3 schema that are read here. They are in `_def`, and are the same in every copy of zod 3.
import { isRecord } from '../../../util/guards.js';
import type { Zod3Check } from './zod-3-checks.js';

/** The part of a zod 3 schema that is read here. */
export interface Zod3Schema {
  _def: Zod3Definition;
}

/** The definition of a schema. Its `typeName` decides which fields it has. */
export interface Zod3Definition {
  typeName: string;
  description?: string;
  coerce?: boolean;
  checks?: Zod3Check[];
  /** The element of an array, or the schema inside a brand or a promise. */
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

/** Kinds that accept undefined, whatever schema they wrap. */
const OMITTABLE = new Set([
  'ZodOptional',
  'ZodDefault',
  'ZodCatch',
  'ZodAny',
  'ZodUnknown',
  'ZodUndefined',
  'ZodVoid',
]);

/** Whether a value was made by any copy of zod 3. */
export function isZod3(value: unknown): value is Zod3Schema {
  return isRecord(value) && isRecord(value['_def']) && typeof value['_def']['typeName'] === 'string';
}

/** Whether a field with this schema may be left out. Only the definition is read, so no check of the user's runs. */
export function isZod3Optional(schema: Zod3Schema): boolean {
  const { _def: def } = schema;
  if (OMITTABLE.has(def.typeName)) return true;
  switch (def.typeName) {
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

/** The choices of a union, discriminated or not. */
export function listOptions(def: Zod3Definition): Zod3Schema[] {
  return [...(def.options instanceof Map ? def.options.values() : (def.options ?? []))];
}

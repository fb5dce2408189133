// Reads facts about a whole zod 4 schema: whether it may be left out, whether it transforms values or runs the user's
// code, and its metadata.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';
import { type Zod4Schema, isZod4 } from './zod-4-schema.js';

/** Whether a listing shows a field with this schema as one that may be left out. */
export function isZod4Optional(schema: Zod4Schema, side: 'input' | 'output'): boolean {
  if (side === 'output') return schema._zod.optout !== undefined;
  const { def } = schema._zod;
  // The parser also accepts an absent key if the schema has a transform or a catch. The listing follows the wrapped schema.
  if (def.type === 'pipe' && def.in?._zod.def.type === 'transform' && def.out)
    return isZod4Optional(def.out, side);
  if (def.type === 'catch' && def.innerType) return isZod4Optional(def.innerType, side);
  return schema._zod.optin !== undefined;
}

/** Whether a schema has a transform on any level, so that its output differs from its input. */
export function isTransforming(schema: Zod4Schema): boolean {
  return hasPart(schema, ({ def, traits }) => def.type === 'transform' || traits?.has('$ZodCodec') === true);
}

/** Whether validation runs functions of the user. Any of them may be asynchronous. */
export function runsUserCode(schema: Zod4Schema): boolean {
  return hasPart(
    schema,
    ({ def, traits }) =>
      ['transform', 'custom', 'promise', 'function'].includes(def.type) ||
      traits?.has('$ZodCodec') === true ||
      def.checks?.some((check) => check._zod.def.check === 'custom') === true,
  );
}

function hasPart(
  schema: Zod4Schema,
  isMatch: (internals: Zod4Schema['_zod']) => boolean,
  seen = new Set<Zod4Schema>(),
): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return isMatch(schema._zod) || listParts(schema).some((part) => hasPart(part, isMatch, seen));
}

// Parts are read only from known fields, because others can be getters that run the user's code.
const SINGLE_PARTS = [
  ...(['element', 'innerType', 'left', 'right', 'in', 'out'] as const),
  ...(['keyType', 'valueType', 'catchall', 'rest'] as const),
];

function listParts({ _zod: { def, innerType } }: Zod4Schema): Zod4Schema[] {
  return [
    ...SINGLE_PARTS.map((key) => def[key]),
    def.type === 'lazy' ? (innerType ?? def.getter?.()) : undefined,
    ...(def.options ?? []),
    ...(def.items ?? []),
    ...Object.values(def.shape ?? {}),
  ].filter(isZod4);
}

/** The metadata given by `.meta()`, `.describe()` or a registry. */
export function readZod4Meta(schema: Zod4Schema): JsonSchema {
  // Since 4.1.13, all copies of zod share one registry. Since 4.4, `meta` is not an own property of the schema. Reading it
  // there binds it, which costs a microsecond and makes the object slower, so the registry is asked. zod/mini has no `meta`.
  const shared = Object.hasOwn(schema, 'meta') ? undefined : sharedRegistry();
  const meta = shared ? shared.get(schema) : schema.meta?.();
  if (isRecord(meta)) return meta;
  return !shared && typeof schema.description === 'string' ? { description: schema.description } : {};
}

function sharedRegistry(): { get(schema: Zod4Schema): unknown } | undefined {
  return (globalThis as { __zod_globalRegistry?: { get(schema: Zod4Schema): unknown } }).__zod_globalRegistry;
}

// Validates with zod. The `validate` of zod's own Standard Schema first runs synchronously. An asynchronous check then
// runs twice, and nobody handles the promise of the first run. Its rejection would end this process. This file avoids
// that.
import { isRecord, isThenable } from '../../../util/guards.js';
import { isStandardSchema, type StandardResult, type Validate } from '../standard-schema.js';
import { isZod3, type Zod3Schema } from './zod-3-schema.js';
import { isZod4, type Zod4Payload, type Zod4Schema } from './zod-4-schema.js';
import { runsUserCode } from './zod-4-traits.js';

interface Parser {
  safeParse(value: unknown): ParseResult;
  safeParseAsync(value: unknown): Promise<ParseResult>;
}

interface ParseResult {
  data?: unknown;
  error?: { issues: NonNullable<StandardResult['issues']> };
}

/** The validator of a zod schema; undefined if the caller can use the schema's own Standard Schema validator. */
export function bindZodValidator(schema: Zod4Schema | Zod3Schema): Validate | undefined {
  if (!isParser(schema)) return undefined;
  if (isZod4(schema)) {
    return runsUserCode(schema) ? (value) => runSlowly(schema, value) : (value) => runAtOnce(schema, value);
  }
  // Only running the effects of a zod 3 schema shows whether they are asynchronous.
  if (hasEffects(schema)) return (value) => schema.safeParseAsync(value).then(readResult);
  return isStandardSchema(schema) ? undefined : (value) => readResult(schema.safeParse(value));
}

// The next two functions run only the part of a parse that checks the value. The rest takes half of a parse's CPU time and
// is needed only for a value that is refused. The issues in a payload have no message yet, so such a value is parsed again.

/** Validates with a schema that cannot be asynchronous. With `async: false`, zod uses compiled code for objects. */
function runAtOnce(schema: Zod4Schema & Parser, value: unknown): StandardResult {
  const payload = schema._zod.run({ value, issues: [] }, { async: false }) as Zod4Payload;
  return payload.issues.length === 0 ? { value: payload.value } : readResult(schema.safeParse(value));
}

/** Validates in asynchronous mode. If nothing was asynchronous, zod 4 returns the payload itself, not a promise. */
function runSlowly(schema: Zod4Schema & Parser, value: unknown): StandardResult | Promise<StandardResult> {
  const payload = schema._zod.run({ value, issues: [] }, { async: true });
  if (!isThenable(payload))
    return payload.issues.length === 0 ? { value: payload.value } : readResult(schema.safeParse(value));
  return payload.then((settled) =>
    settled.issues.length === 0 ? { value: settled.value } : schema.safeParseAsync(value).then(readResult),
  );
}

function readResult(result: ParseResult): StandardResult {
  return { value: result.data, issues: result.error?.issues };
}

const SINGLE_PARTS = [
  ...(['innerType', 'type', 'in', 'out', 'left', 'right'] as const),
  ...(['keyType', 'valueType', 'rest', 'catchall'] as const),
];

function hasEffects(schema: Zod3Schema, seen = new Set<Zod3Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { _def: def } = schema;
  if (def.typeName === 'ZodEffects' || def.typeName === 'ZodPromise') return true;
  const parts: unknown[] = [
    ...SINGLE_PARTS.map((key) => def[key]),
    def.typeName === 'ZodLazy' ? def.getter?.() : undefined,
    ...(def.options?.values() ?? []),
    ...(def.items ?? []),
    ...Object.values(def.shape?.() ?? {}),
  ];
  return parts.some((part) => isZod3(part) && hasEffects(part, seen));
}

function isParser<T>(value: T): value is T & Parser {
  return (
    isRecord(value) &&
    typeof value['safeParse'] === 'function' &&
    typeof value['safeParseAsync'] === 'function'
  );
}

// Writes unions of schemas as briefly as possible.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';

/** The union of the branches. If all of them are only types, it is one list of types, which is shorter than `anyOf`. */
export function uniteTypes(branches: readonly JsonSchema[]): JsonSchema {
  const types = new Set<unknown>();
  for (const branch of branches) {
    if (Object.keys(branch).length !== 1 || branch['type'] === undefined) return { anyOf: branches };
    for (const type of [branch['type']].flat()) types.add(type);
  }
  return { type: types.size === 1 ? [...types][0] : [...types] };
}

/** A schema that admits every value that a part admits. */
export function uniteSchemas(parts: readonly unknown[]): unknown {
  const different = distinct(parts);
  if (different.length === 1) return different[0];
  const values = different.map(valuesOf);
  if (values.every((list) => list !== undefined)) {
    const all = [...new Set(values.flat())];
    const types = new Set(all.map((value) => typeof value));
    return types.size === 1 ? { type: [...types][0], enum: all } : { enum: all };
  }
  return { anyOf: different };
}

/** The values of a schema that is only a choice of strings, numbers or booleans; undefined for any other. */
function valuesOf(schema: unknown): unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  const others = Object.keys(schema).filter((key) => !['type', 'const', 'enum'].includes(key));
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (others.length > 0 || !Array.isArray(values)) return undefined;
  return values.every((value) => value !== null && typeof value !== 'object')
    ? (values as unknown[])
    : undefined;
}

/** The parts without repetitions, compared by their JSON. */
export function distinct<T>(parts: readonly T[]): T[] {
  const seen = new Map(parts.map((part) => [JSON.stringify(part), part]));
  return [...seen.values()];
}

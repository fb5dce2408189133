// Walks over the parts of a JSON Schema. It finds local references, resolves them, and corrects them when their document
// becomes a part of another.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';

/** Keywords whose value always maps names to schemas. */
export const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

// The values of `dependencies` may also be lists of names.
const MAPS_TO_WALK = new Set([...SCHEMA_MAPS, 'dependencies']);
const PLAIN_DATA = new Set(['const', 'enum', 'default', 'example', 'examples', 'required', 'type']);

/**
 * Calls `see` for every subschema of a JSON Schema, including the root, with the keys that lead to it. The list of keys
 * changes as the walk goes on, so a caller that keeps it must copy it. Keys are passed, not a JSON Pointer, because
 * writing pointers took longer than the walk.
 */
export function walkSchemas(
  schema: unknown,
  see: (node: JsonSchema, path: readonly string[]) => void,
  path: string[] = [],
): void {
  if (!isRecord(schema)) return;
  see(schema, path);
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (typeof value !== 'object' || value === null || PLAIN_DATA.has(key)) continue;
    path.push(key);
    // The names in a map and the indexes in a list both count as keys.
    if (MAPS_TO_WALK.has(key) ? isRecord(value) : Array.isArray(value)) walkParts(value, see, path);
    else if (!MAPS_TO_WALK.has(key)) walkSchemas(value, see, path);
    path.pop();
  }
}

function walkParts(
  parts: object,
  see: (node: JsonSchema, path: readonly string[]) => void,
  path: string[],
): void {
  for (const [name, part] of Object.entries(parts)) {
    path.push(name);
    walkSchemas(part, see, path);
    path.pop();
  }
}

/** The JSON Pointer that is made of these keys. */
export function writePointer(path: readonly string[]): string {
  return ['#', ...path.map(escapePointer)].join('/');
}

/** The texts of the references from a schema into its own document. */
export function listLocalReferences(schema: JsonSchema): string[] {
  const found: string[] = [];
  walkSchemas(schema, (node) => {
    const ref = node['$ref'];
    if (typeof ref === 'string' && ref.startsWith('#')) found.push(ref);
  });
  return found;
}

/** A copy whose local references start at `pointer`, for a document that became a part of another. */
export function rebaseReferences(schema: JsonSchema, pointer: string): JsonSchema {
  const copy = structuredClone(schema);
  walkSchemas(copy, (node) => {
    const ref = node['$ref'];
    if (ref === '#' || (typeof ref === 'string' && ref.startsWith('#/')))
      node['$ref'] = pointer + ref.slice(1);
  });
  return copy;
}

/** The target of a `#/...` reference; undefined where there is none. */
export function resolveReference(root: JsonSchema, ref: string): unknown {
  let node: unknown = root;
  for (const key of splitPointer(ref)) {
    if (Array.isArray(node)) node = node[Number(key)];
    else if (isRecord(node) && Object.hasOwn(node, key)) node = node[key];
    else return undefined;
  }
  return node;
}

/** Writes a key as one segment of a JSON Pointer in a URI fragment. */
export function escapePointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%24', '$');
}

/** The keys of a `#/...` pointer, decoded. */
export function splitPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(decodeSegment);
}

function decodeSegment(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // A segment with a lone percent sign is not encoded, so it is used as written.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

// Local references in a JSON Schema: finding them, following them, moving them with the part they live in.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';

/** Keywords whose value always maps names to schemas. */
export const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

// Those of `dependencies` may also be lists of names.
const MAPS_TO_WALK = new Set([...SCHEMA_MAPS, 'dependencies']);
const PLAIN_DATA = new Set(['const', 'enum', 'default', 'example', 'examples', 'required', 'type']);

/** Calls `see` for every subschema of a JSON Schema, the root included, with its JSON Pointer. */
export function walkSchemas(
  schema: unknown,
  see: (node: JsonSchema, pointer: string) => void,
  pointer = '#',
): void {
  if (!isRecord(schema)) return;
  see(schema, pointer);
  for (const [key, value] of Object.entries(schema)) {
    const here = `${pointer}/${escapePointer(key)}`;
    if (PLAIN_DATA.has(key) || typeof value !== 'object') continue;
    if (MAPS_TO_WALK.has(key)) {
      if (isRecord(value))
        for (const [name, part] of Object.entries(value))
          walkSchemas(part, see, `${here}/${escapePointer(name)}`);
    } else if (Array.isArray(value)) {
      value.forEach((part, index) => walkSchemas(part, see, `${here}/${index}`));
    } else walkSchemas(value, see, here);
  }
}

/** The references of a schema into its own document, as written. */
export function listLocalReferences(schema: JsonSchema): string[] {
  const found: string[] = [];
  walkSchemas(schema, (node) => {
    const ref = node['$ref'];
    if (typeof ref === 'string' && ref.startsWith('#')) found.push(ref);
  });
  return found;
}

/** A copy whose local references start at `pointer`: for a document that became a part of another. */
export function rebaseReferences(schema: JsonSchema, pointer: string): JsonSchema {
  const copy = structuredClone(schema);
  walkSchemas(copy, (node) => {
    const ref = node['$ref'];
    if (ref === '#' || (typeof ref === 'string' && ref.startsWith('#/')))
      node['$ref'] = pointer + ref.slice(1);
  });
  return copy;
}

/** What a `#/...` reference points to; undefined where there is nothing. */
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
    // A lone percent sign: the segment is meant as written.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

// Tells quickly whether a zod 4 schema surely has a JSON Schema. If so, the JSON Schema is written only when the tool is
// listed. Any other schema is converted at once, so that a mistake is reported at once.
import { isZod4, type Zod4Schema } from './zod-4-schema.js';
import { readZod4Meta } from './zod-4-traits.js';

// A recursive schema exceeds this depth, so it does not count as plain. `Conversion` handles recursion.
const MAX_DEPTH = 8;

/** Whether a value is a zod 4 schema that surely has a JSON Schema and can validate. False means that it is not certain. */
export function isPlainZod4(schema: unknown, depth = 0): schema is Zod4Schema {
  if (depth > MAX_DEPTH || !isZod4(schema) || !('~standard' in schema)) return false;
  const { def, toJSONSchema } = schema._zod;
  if (toJSONSchema !== undefined || !hasPlainMeta(schema)) return false;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'any':
    case 'unknown':
    case 'enum':
      return true;
    case 'array':
      return isPlainZod4(def.element, depth + 1);
    case 'optional':
    case 'nullable':
    case 'default':
      return isPlainZod4(def.innerType, depth + 1);
    case 'union':
      return (def.options ?? []).every((option) => isPlainZod4(option, depth + 1));
    case 'object':
      return (
        def.catchall === undefined &&
        Object.values(def.shape ?? {}).every((field) => isPlainZod4(field, depth + 1))
      );
    default:
      return false;
  }
}

/**
 * Whether the metadata has only a description and a title, as texts. An id would make a definition, which may clash with
 * another. Other metadata might not be JSON.
 */
function hasPlainMeta(schema: Zod4Schema): boolean {
  const meta = readZod4Meta(schema);
  for (const key of Object.keys(meta))
    if ((key !== 'description' && key !== 'title') || typeof meta[key] !== 'string') return false;
  return true;
}

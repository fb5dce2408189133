// The value a form begins with: the defaults and constants of the schema, and the objects and lists that it requires.
import { isRecord } from '@inboard/core/util/guards.js';
import { readShape } from './form-shape.js';
import { defineField } from './value-path.js';

// Without a limit, the value of a schema that requires itself would have no end.
const MAX_DEPTH = 6;

/** The value of a field that a person adds: its default, else a simple value of its type. */
export function initialValue(schema: unknown, root: unknown = schema, depth = 0): unknown {
  const shape = readShape(schema, root);
  if ('default' in shape.schema) return shape.schema['default'];
  switch (shape.kind) {
    case 'object':
      return initialObject(schema, root, depth);
    case 'list':
      return Array.from({ length: depth < MAX_DEPTH ? Math.min(shape.minItems, 3) : 0 }, (_, index) =>
        initialValue(shape.prefix[index] ?? shape.items, root, depth + 1),
      );
    case 'choice':
      return shape.options[0]?.value;
    case 'union':
      return depth < MAX_DEPTH ? initialValue(shape.variants[0]?.schema, root, depth + 1) : undefined;
    case 'boolean':
      return false;
    case 'number':
      return typeof shape.schema['minimum'] === 'number' ? shape.schema['minimum'] : 0;
    case 'json':
      return null;
    default:
      return '';
  }
}

/** An object with the defaults and constants of its fields, and with the objects and lists that are required. */
export function initialObject(schema: unknown, root: unknown = schema, depth = 0): Record<string, unknown> {
  const shape = readShape(schema, root);
  const made: Record<string, unknown> = {};
  if (shape.kind !== 'object' || depth > MAX_DEPTH) return made;
  for (const { name, schema: part, isRequired } of shape.properties) {
    const field = readShape(part, root);
    const isGiven = 'default' in field.schema || 'const' in field.schema;
    const isCompound = field.kind === 'object' || field.kind === 'list';
    if (isGiven || (isRequired && isCompound)) defineField(made, name, initialValue(part, root, depth + 1));
  }
  return isRecord(shape.schema['default']) ? { ...made, ...shape.schema['default'] } : made;
}

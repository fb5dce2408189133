// Describes a JSON Schema in words: the type of a value, and the fields of an object as a list.
import { readShape } from './form-shape.js';

/** One field of an object. */
export interface SchemaRow {
  /** The path of the field, as in `to.city`, `lines[].count`. */
  name: string;
  /** How deeply it is nested. */
  depth: number;
  type: string;
  isRequired: boolean;
  description: string | undefined;
}

const MAX_DEPTH = 4;
const MAX_OPTIONS = 8;

/** The type of a value, in a few words. */
export function describeType(schema: unknown, root: unknown = schema, depth = 0): string {
  const shape = readShape(schema, root);
  const words = (() => {
    switch (shape.kind) {
      case 'text':
        return shape.format === 'text' ? 'text' : shape.format;
      case 'number':
        return shape.isInteger ? 'whole number' : 'number';
      case 'boolean':
        return 'yes or no';
      case 'choice': {
        const labels = shape.options.map(({ label }) => label);
        const more = labels.length > MAX_OPTIONS ? `, … ${labels.length - MAX_OPTIONS} more` : '';
        return labels.slice(0, MAX_OPTIONS).join(' | ') + more;
      }
      case 'object':
        return 'object';
      case 'list':
        return depth < MAX_DEPTH && shape.prefix.length === 0
          ? `list of ${describeType(shape.items ?? {}, root, depth + 1)}`
          : 'list';
      case 'union':
        return depth < MAX_DEPTH
          ? [...new Set(shape.variants.map((variant) => describeType(variant.schema, root, depth + 1)))].join(
              ' or ',
            )
          : 'one of several';
      default:
        return 'any JSON';
    }
  })();
  return shape.isNullable ? `${words} or null` : words;
}

/** The fields of an object, nested ones below those that contain them. */
export function describeFields(schema: unknown, root: unknown = schema, name = '', depth = 0): SchemaRow[] {
  const shape = readShape(schema, root);
  if (depth >= MAX_DEPTH) return [];
  if (shape.kind === 'list' && name !== '') return describeFields(shape.items, root, `${name}[]`, depth);
  if (shape.kind !== 'object') return [];
  return shape.properties.flatMap((property) => {
    const inner = readShape(property.schema, root);
    const path = name === '' ? property.name : `${name}.${property.name}`;
    return [
      {
        name: path,
        depth,
        type: describeType(property.schema, root),
        isRequired: property.isRequired,
        description: inner.description ?? inner.title,
      },
      ...describeFields(property.schema, root, path, depth + 1),
    ];
  });
}

/** A tool's signature: `count(article, warehouse?)`. */
export function describeSignature(name: string, schema: unknown): string {
  const shape = readShape(schema, schema);
  if (shape.kind !== 'object') return `${name}(…)`;
  return `${name}(${shape.properties.map((each) => each.name + (each.isRequired ? '' : '?')).join(', ')})`;
}

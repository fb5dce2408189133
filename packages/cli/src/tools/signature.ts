// Writes a tool as one line, as TypeScript would declare it: `count(article: string, limit?: integer): { left: number
// }`. The line is for people, and shows only the types. Everything else is in the JSON Schema.
import { isRecord } from '@inboard/core/util/guards.js';

/** A field of a tool's arguments that has a description. */
export interface DescribedField {
  name: string;
  description: string;
}

// Objects that are nested more deeply are shown without their fields.
const DEEPEST = 4;
// Of a longer enumeration, only so many values are shown, and how many more there are.
const MOST_CHOICES = 12;

/**
 * The signature of a tool, from the name that the model sees, its `inputSchema`, and its `outputSchema` if it has one.
 */
export function formatSignature(name: string, input: unknown, output?: unknown): string {
  const fields = isRecord(input) ? listFields(input, input, 0) : [];
  const answer = output === undefined ? '' : `: ${formatType(output, output, 0)}`;
  return `${name}(${fields.join(', ')})${answer}`;
}

/** The descriptions of the argument fields. */
export function listDescriptions(input: unknown): DescribedField[] {
  const properties = isRecord(input) ? input['properties'] : undefined;
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, field]) => {
    const description = isRecord(field) ? field['description'] : undefined;
    return typeof description === 'string' && description !== '' ? [{ name, description }] : [];
  });
}

function formatType(given: unknown, root: unknown, depth: number): string {
  if (given === false) return 'never';
  const schema = resolveReference(given, root);
  if (!isRecord(schema)) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema['const']);
  const { enum: choices, type } = schema;
  if (Array.isArray(choices)) return formatChoices(choices);
  for (const [word, sign] of [
    ['anyOf', ' | '],
    ['oneOf', ' | '],
    ['allOf', ' & '],
  ] as const) {
    const members = schema[word];
    if (Array.isArray(members) && members.length > 0) {
      if (depth >= DEEPEST) return 'unknown';
      return joinTypes(
        members.map((member) => formatType(member, root, depth + 1)),
        sign,
      );
    }
  }
  if (Array.isArray(type)) {
    return joinTypes(
      type.map((each) => formatType({ ...schema, type: each as unknown }, root, depth)),
      ' | ',
    );
  }
  if (type === 'array' || 'items' in schema || 'prefixItems' in schema)
    return formatArray(schema, root, depth);
  if (type === 'object' || 'properties' in schema) return formatObject(schema, root, depth);
  return typeof type === 'string' ? type : 'unknown';
}

function formatChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MOST_CHOICES).map((choice) => JSON.stringify(choice));
  const more = choices.length - shown.length;
  return [...shown, ...(more > 0 ? [`… ${more} more`] : [])].join(' | ');
}

function formatArray(schema: Record<string, unknown>, root: unknown, depth: number): string {
  const { prefixItems, items } = schema;
  if (depth >= DEEPEST) return 'array';
  const fixed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (fixed) return `[${fixed.map((each) => formatType(each, root, depth + 1)).join(', ')}]`;
  const inner = items === undefined ? 'unknown' : formatType(items, root, depth + 1);
  return / [|&] /.test(inner) && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`;
}

function formatObject(schema: Record<string, unknown>, root: unknown, depth: number): string {
  if (depth >= DEEPEST) return 'object';
  const fields = listFields(schema, root, depth);
  const rest = schema['additionalProperties'];
  if (isRecord(rest)) fields.push(`[key: string]: ${formatType(rest, root, depth + 1)}`);
  return fields.length === 0 ? 'object' : `{ ${fields.join('; ')} }`;
}

function listFields(schema: Record<string, unknown>, root: unknown, depth: number): string[] {
  const { properties, required } = schema;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    const key = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
    return `${key}${needed.has(name) ? '' : '?'}: ${formatType(field, root, depth + 1)}`;
  });
}

function joinTypes(types: readonly string[], sign: ' | ' | ' & '): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 1) return distinct[0] ?? 'unknown';
  const other = sign === ' | ' ? ' & ' : ' | ';
  return distinct
    .map((each) => (each.includes(other) && !each.startsWith('{') ? `(${each})` : each))
    .join(sign);
}

// Resolves references within the schema, such as `#/$defs/name`. All others are shown as unknown.
function resolveReference(schema: unknown, root: unknown): unknown {
  let found = schema;
  for (let hops = 0; isRecord(found) && typeof found['$ref'] === 'string'; hops += 1) {
    const path = found['$ref'];
    if (!path.startsWith('#') || hops > DEEPEST) return undefined;
    found = path
      .slice(1)
      .split('/')
      .slice(1)
      .reduce<unknown>((node, part) => {
        const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
        return isRecord(node) ? node[key] : undefined;
      }, root);
  }
  return found;
}

// Makes a listed schema describe one object at its top. The CLI drops a tool whose schema has a union there, and all tools
// of a server if one schema is not of an object. Validation uses the original, so the listed form may admit more.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';
import type { Conversion } from '../conversion.js';
import { mergeAll, mergeAny } from './merge-objects.js';
import { propertiesOf, requiredOf } from './object-schema.js';
import { listLocalReferences, rebaseReferences, resolveReference } from './references.js';

const UNIONS = ['anyOf', 'oneOf'] as const;
const NOT_AT_TOP = ['anyOf', 'oneOf', 'allOf'];
const MAX_NOTE = 1000;

/** The document as one object schema. Unions and intersections of objects are merged; anything else is refused. */
export function toObjectRoot(document: JsonSchema, conversion: Conversion): JsonSchema {
  if (document['type'] === 'object' && !NOT_AT_TOP.some((keyword) => keyword in document)) return document;
  const root = keepOriginal(document);
  const notes: string[] = [];
  const view = viewObject({ node: root, root, open: new Set(), notes });
  if (!view) {
    const carrier = conversion.side === 'input' ? 'the arguments of a tool are' : 'structuredContent is';
    const kind =
      document['type'] === undefined ? 'not an object' : `of type ${JSON.stringify(document['type'])}`;
    return conversion.fail(
      `is ${kind}, but ${carrier} always an object. Make it a field of an object, as in { value: <this schema> }.`,
    );
  }
  const { $schema, $defs, definitions } = root;
  const { type, properties, required, ...rest } = view;
  const description = [rest['description'], ...notes].filter((text) => typeof text === 'string').join(' ');
  return {
    ...($schema !== undefined && { $schema }),
    type,
    ...(description !== '' && { description }),
    properties,
    ...(required !== undefined && { required }),
    ...without(rest, ['description', '$schema', '$defs', 'definitions', '$id', 'id']),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

/** Keeps the original top of a document as a definition if parts of the document refer to it. */
function keepOriginal(document: JsonSchema): JsonSchema {
  const pointsToTop = listLocalReferences(document).some((ref) => !/^#\/(\$defs|definitions)\//.test(ref));
  if (!pointsToTop) return document;
  const { $schema, ...original } = document;
  const keyword = typeof $schema === 'string' && $schema.includes('draft-0') ? 'definitions' : '$defs';
  const pointer = `#/${keyword}/__root`;
  return {
    ...($schema !== undefined && { $schema }),
    $ref: pointer,
    [keyword]: { __root: rebaseReferences(original, pointer) },
  };
}

interface View {
  node: unknown;
  root: JsonSchema;
  /** The nodes above this one. A node that contains itself is recognized by them. */
  open: Set<unknown>;
  /** Collects texts about what the merged form cannot express. Undefined inside a branch. */
  notes?: string[];
}

/** The requirements of a node as one object schema; undefined if it admits no objects. */
function viewObject({ node, root, open, notes }: View): JsonSchema | undefined {
  if (node === true) return { type: 'object', properties: {} };
  if (!isRecord(node) || open.has(node)) return undefined;
  const above = new Set([...open, node]);
  const view = (part: unknown, partNotes?: string[]) =>
    viewObject({ node: part, root, open: above, notes: partNotes });
  const { type } = node;
  if (type !== undefined && ![type].flat().includes('object')) return undefined;
  if (![node['const'] ?? node['enum'] ?? {}].flat().some(isRecord)) return undefined;

  const own = without(node, [...NOT_AT_TOP, '$ref', 'type']);
  const parts: (JsonSchema | undefined)[] = [{ type: 'object', ...own }];
  if (typeof node['$ref'] === 'string') parts.push(view(resolveReference(root, node['$ref']), notes));
  for (const member of listOf(node['allOf'])) parts.push(view(member, notes));
  for (const keyword of UNIONS) {
    if (!Array.isArray(node[keyword])) continue;
    const branches = listOf(node[keyword])
      .map((branch) => view(branch))
      .filter((branch) => branch !== undefined);
    if (branches.length > 1) notes?.push(describeBranches(branches));
    parts.push(branches.length > 1 ? mergeAny(branches) : branches[0]);
  }
  if (parts.includes(undefined)) return undefined;
  const said = (parts as JsonSchema[]).filter((_part, index) => index > 0 || Object.keys(own).length > 0);
  const merged = mergeAll(said.length > 0 ? said : [{ type: 'object' }]);
  // In JSON Schema, a closed node also forbids the keys of schemas beside it. In a library's intersection it does not.
  if (own['additionalProperties'] === false) merged['additionalProperties'] = false;
  return merged;
}

/** A text that tells the model which properties of the merged form belong together. */
function describeBranches(branches: readonly JsonSchema[]): string {
  const forms = branches.map((branch) => {
    const properties = propertiesOf(branch);
    const required = requiredOf(branch);
    const names = [...new Set([...Object.keys(properties), ...required])].map((name) => {
      const value = isRecord(properties[name]) ? properties[name]['const'] : undefined;
      return `${name}${required.includes(name) ? '' : '?'}${value === undefined ? '' : `: ${JSON.stringify(value)}`}`;
    });
    return names.length > 0 ? `{ ${names.join(', ')} }` : '{}';
  });
  const text = `Give one of these forms: ${forms.join(' or ')}.`;
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE)} …` : text;
}

function without(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

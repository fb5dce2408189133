// Rewrites one schema of a document as draft-07. Keywords of other drafts become those of draft-07, and keywords
// without effect are left out. A limit that draft-07 cannot express is removed from the schema and returned.
import { isRecord } from '../../../util/guards.js';
import { isRegExp } from '../json-schema/check-json-schema.js';
import { setOwn, type JsonSchema } from '../compiled-schema.js';
import { KEYWORDS } from './keywords.js';

/** The limits that were taken out of a schema, by keyword. */
export type Lost = Record<string, unknown>;

// The schemas under these keywords apply to the same value, so they may describe more of its properties and items.
const APPLICATORS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies'];

/** Rewrites a schema in place, but not its parts. Returns the limits that draft-07 cannot express. */
export function rewriteNode(node: JsonSchema, { hasFormats }: { hasFormats: boolean }): Lost {
  const lost: Lost = {};
  const lose = (keyword: string): void => {
    lost[keyword] = node[keyword];
    delete node[keyword];
  };
  rewriteReferences(node);
  rewriteBounds(node);
  rewriteDependencies(node);
  rewriteItems(node);
  countContained(node, lose);
  closeUnevaluated(node, lose);
  if (node['format'] !== undefined && !hasFormats) lose('format');
  // The CLI's validator compiles patterns with the "u" flag, under which some patterns of other validators are errors.
  if (isRegExp(node['pattern'], '') && !isRegExp(node['pattern'], 'u')) lose('pattern');
  rewriteLists(node);
  separateProperties(node);
  dropIdle(node);
  return lost;
}

function rename(node: JsonSchema, from: string, to: string): void {
  if (node[from] === undefined) return;
  node[to] ??= node[from];
  delete node[from];
}

// The caller replaces anchors, because it sees the whole document.
function rewriteReferences(node: JsonSchema): void {
  rename(node, '$recursiveRef', '$ref');
  rename(node, '$dynamicRef', '$ref');
}

// In draft-04, the exclusive keywords are flags beside `minimum` and `maximum`.
function rewriteBounds(node: JsonSchema): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const is = node[exclusive];
    if (typeof is !== 'boolean') continue;
    delete node[exclusive];
    if (is) rename(node, bound, exclusive);
  }
}

function rewriteDependencies(node: JsonSchema): void {
  const { dependentRequired, dependentSchemas } = node;
  const dependencies: JsonSchema = isRecord(node['dependencies']) ? node['dependencies'] : {};
  for (const more of [dependentRequired, dependentSchemas]) {
    if (!isRecord(more)) continue;
    for (const [name, part] of Object.entries(more)) {
      const before = Object.hasOwn(dependencies, name) ? dependencies[name] : undefined;
      setOwn(dependencies, name, before === undefined ? part : { allOf: [before, part].map(asSchema) });
    }
    node['dependencies'] = dependencies;
  }
  if (isRecord(dependentRequired)) delete node['dependentRequired'];
  if (isRecord(dependentSchemas)) delete node['dependentSchemas'];
}

function asSchema(dependency: unknown): unknown {
  return Array.isArray(dependency) ? { required: dependency } : dependency;
}

function rewriteItems(node: JsonSchema): void {
  const { prefixItems } = node;
  if (Array.isArray(prefixItems)) {
    delete node['prefixItems'];
    if (prefixItems.length > 0) {
      delete node['additionalItems'];
      rename(node, 'items', 'additionalItems');
      node['items'] = prefixItems;
    }
  } else if (Array.isArray(node['items']) && node['items'].length === 0) {
    delete node['items'];
    rename(node, 'additionalItems', 'items');
  }
  // If `items` is one schema for all items, `additionalItems` has no effect in any draft.
  if (!Array.isArray(node['items'])) delete node['additionalItems'];
}

function countContained(node: JsonSchema, lose: (keyword: string) => void): void {
  const { contains, minContains, maxContains } = node;
  // Without `contains` the other two have no effect. With a minimum of 0 and no maximum, `contains` has none.
  if (contains === undefined || (minContains === 0 && maxContains === undefined)) {
    for (const keyword of ['contains', 'minContains', 'maxContains']) delete node[keyword];
    return;
  }
  if (minContains === 1) delete node['minContains'];
  else if (minContains !== undefined) lose('minContains');
  if (maxContains !== undefined) lose('maxContains');
  // With a minimum of 0, a list without a matching item is allowed. In draft-07, `contains` would forbid it.
  if (minContains === 0) lose('contains');
}

// The unevaluated keywords cover what no other keyword describes, even in other schemas for the same value. If there are no
// such schemas, draft-07 has keywords with the same effect.
function closeUnevaluated(node: JsonSchema, lose: (keyword: string) => void): void {
  const isAlone = APPLICATORS.every((keyword) => node[keyword] === undefined);
  if (node['unevaluatedProperties'] !== undefined) {
    if (node['additionalProperties'] !== undefined || node['unevaluatedProperties'] === true)
      delete node['unevaluatedProperties'];
    else if (isAlone) rename(node, 'unevaluatedProperties', 'additionalProperties');
    else lose('unevaluatedProperties');
  }
  if (node['unevaluatedItems'] !== undefined) {
    const hasList = Array.isArray(node['items']);
    const isIdle = (node['items'] !== undefined && !hasList) || node['additionalItems'] !== undefined;
    if (isIdle || node['unevaluatedItems'] === true) delete node['unevaluatedItems'];
    else if (isAlone && node['contains'] === undefined)
      rename(node, 'unevaluatedItems', hasList ? 'additionalItems' : 'items');
    else lose('unevaluatedItems');
  }
}

function rewriteLists(node: JsonSchema): void {
  for (const keyword of ['required', 'enum', 'type']) {
    const list = node[keyword];
    if (!Array.isArray(list)) continue;
    const seen = new Map(list.map((item) => [JSON.stringify(item), item as unknown]));
    if (seen.size < list.length) node[keyword] = [...seen.values()];
  }
  if (Array.isArray(node['allOf']) && node['allOf'].length === 0) delete node['allOf'];
  // An empty `enum` allows no value.
  if (Array.isArray(node['enum']) && node['enum'].length === 0) {
    delete node['enum'];
    addTo(node, { not: {} });
  }
}

// The CLI's validator refuses a schema if one of its patterns matches one of its properties. So the property moves to a
// schema of its own under `allOf`. Because the pattern matches it, `additionalProperties` still does not apply to it.
function separateProperties(node: JsonSchema): void {
  const { properties, patternProperties } = node;
  if (!isRecord(properties) || !isRecord(patternProperties)) return;
  const patterns = Object.keys(patternProperties)
    .filter((source) => isRegExp(source, 'u'))
    .map((source) => new RegExp(source, 'u'));
  const matched = Object.entries(properties).filter(([name]) =>
    patterns.some((pattern) => pattern.test(name)),
  );
  if (matched.length === 0) return;
  for (const [name] of matched) delete properties[name];
  addTo(node, { properties: Object.fromEntries(matched) });
}

function addTo(node: JsonSchema, schema: JsonSchema): void {
  node['allOf'] = [...(Array.isArray(node['allOf']) ? (node['allOf'] as unknown[]) : []), schema];
}

// Removes keywords that have no effect, because the CLI's validator refuses them.
function dropIdle(node: JsonSchema): void {
  if (node['example'] !== undefined) node['examples'] ??= [node['example']];
  if (node['then'] === undefined && node['else'] === undefined) delete node['if'];
  if (node['if'] === undefined) {
    delete node['then'];
    delete node['else'];
  }
  if (node['type'] === undefined) delete node['nullable'];
  for (const [name, value] of Object.entries(node)) {
    const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
    if (!keyword || (keyword.isNote && !keyword.fits(value))) delete node[name];
  }
}

// Rewrites a JSON Schema of any draft for the CLI's validator, which takes only strict draft-07. Given any other schema,
// CLI 2.1.325 exits, and 2.1.33 goes on without a schema.
import { messageOf } from '../../../util/message-of.js';
import type { JsonSchema } from '../compiled-schema.js';
import {
  escapePointer,
  listLocalReferences,
  resolveReference,
  splitPointer,
  walkSchemas,
  writePointer,
} from '../json-schema/references.js';
import { KEYWORDS } from './keywords.js';
import { rewriteNode } from './rewrite-node.js';

/** A schema for the CLI. */
export interface Draft07 {
  /** The rewritten schema. It is the given object itself if nothing had to change. */
  schema: JsonSchema;
  /** The limits that were removed, such as `format at #/properties/mail`. Descriptions tell the model of them. */
  lost: string[];
  /** Why the schema cannot be rewritten, as the end of a sentence about it. */
  problem?: string;
}

const TAKEN_DIALECTS = /^http:\/\/json-schema\.org\/(?:draft-07\/)?schema#?$/;
const DRAFT_04 = /draft-0[34]/;

/** Rewrites a schema; `hasFormats` says whether the CLI takes the keyword `format`. */
export function toDraft07(given: JsonSchema, hasFormats = true): Draft07 {
  let text: string;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    return { schema: given, lost: [], problem: `cannot be written as JSON: ${messageOf(error)}` };
  }
  const document = JSON.parse(text) as JsonSchema;
  const places = readPlaces(document);
  const usesId = typeof document['$schema'] === 'string' && DRAFT_04.test(document['$schema']);
  if (!TAKEN_DIALECTS.test(String(document['$schema']))) delete document['$schema'];
  const lost: string[] = [];
  const problems: Problem[] = [];
  walkSchemas(document, (node, path) => {
    const pointer = writePointer(path);
    if (usesId && typeof node['id'] === 'string') node['$id'] ??= node['id'];
    const taken = rewriteNode(node, { hasFormats });
    lost.push(...Object.keys(taken).map((keyword) => `${keyword} at ${pointer}`));
    describeLost(node, taken);
    for (const [name, value] of Object.entries(node))
      if (!KEYWORDS[name]?.fits(value))
        problems.push({
          pointer,
          says: `has a "${name}" at ${pointer} that is not ${KEYWORDS[name]?.expected}`,
        });
  });
  problems.push(...moveReferences(document, places));
  const problem = problems.find(({ pointer }) => isUsed(pointer, document))?.says;
  const isSame = JSON.stringify(document) === text;
  return { schema: isSame ? given : document, lost, ...(problem !== undefined && { problem }) };
}

// The model can still respect limits that the CLI cannot check, so the description names them.
function describeLost(node: JsonSchema, lost: Record<string, unknown>): void {
  if (Object.keys(lost).length === 0) return;
  const { description } = node;
  const said = typeof description === 'string' && description !== '' ? `${description} ` : '';
  node['description'] = `${said}(Must also satisfy this JSON Schema: ${JSON.stringify(lost)})`;
}

/** What is wrong with a document, and where. */
interface Problem {
  pointer: string;
  says: string;
}

// The validator does not look at a definition that nothing refers to.
function isUsed(pointer: string, document: JsonSchema): boolean {
  const [definition] = /^.*?\/\$defs\/[^/]+/.exec(pointer) ?? [];
  return (
    definition === undefined ||
    listLocalReferences(document).some((ref) => `${normalize(ref)}/`.startsWith(`${definition}/`))
  );
}

/** The places of the schemas in a document before any of them was moved. */
interface Places {
  /** The schemas by JSON Pointer. */
  byPointer: Map<string, JsonSchema>;
  /** The schemas by anchor, with its number sign. */
  byAnchor: Map<string, JsonSchema>;
  ids: string[];
}

function readPlaces(document: JsonSchema): Places {
  const places: Places = { byPointer: new Map(), byAnchor: new Map(), ids: [] };
  walkSchemas(document, (node, path) => {
    places.byPointer.set(writePointer(path), node);
    for (const keyword of ['$anchor', '$dynamicAnchor'])
      if (typeof node[keyword] === 'string') places.byAnchor.set(`#${node[keyword]}`, node);
    if (typeof node['$id'] === 'string') places.ids.push(node['$id']);
  });
  return places;
}

/** Corrects the references to schemas that were moved. Returns what is wrong with references and ids. */
function moveReferences(document: JsonSchema, { byPointer, byAnchor, ids }: Places): Problem[] {
  const problems: Problem[] = [];
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined)
    problems.push({ pointer: '#', says: `has two schemas with the "$id" ${JSON.stringify(twice)}` });
  const pointers = new Map<JsonSchema, string>();
  walkSchemas(document, (node, path) => pointers.set(node, writePointer(path)));
  walkSchemas(document, (node, path) => {
    const ref = node['$ref'];
    if (typeof ref !== 'string' || ref === '#') return;
    const target = byAnchor.get(ref) ?? byPointer.get(normalize(ref));
    const now = target && pointers.get(target);
    if (now !== undefined) {
      if (now !== normalize(ref)) node['$ref'] = now;
      // References below an inner id, and to schemas that are only true or false, stay as they are.
    } else if (
      ids.length === 0 &&
      !TAKEN_DIALECTS.test(ref) &&
      typeof resolveReference(document, ref) !== 'boolean'
    ) {
      const pointer = writePointer(path);
      problems.push({ pointer, says: `refers at ${pointer} to ${JSON.stringify(ref)}, which is not in it` });
    }
  });
  return problems;
}

function normalize(ref: string): string {
  return ref.startsWith('#/') ? ['#', ...splitPointer(ref).map(escapePointer)].join('/') : ref;
}

// Finds mistakes in a plain JSON Schema when the tool is defined, not only at its first call.
import { isRecord } from '../../../util/guards.js';
import type { JsonSchema } from '../compiled-schema.js';
import type { Conversion } from '../conversion.js';
import { resolveReference, SCHEMA_MAPS, walkSchemas, writePointer } from './references.js';

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'enum'];

/** Throws a SchemaError, with the JSON Pointer as its path, at the first part that no validator could use. */
export function checkJsonSchema(document: JsonSchema, conversion: Conversion): void {
  const anchors = new Set<unknown>();
  let hasInnerIds = false;
  walkSchemas(document, (node, path) => {
    if (typeof node['$anchor'] === 'string') anchors.add(`#${node['$anchor']}`);
    if (typeof node['$id'] === 'string') {
      if (node['$id'].startsWith('#')) anchors.add(node['$id']);
      else if (path.length > 0) hasInnerIds = true;
    }
  });
  walkSchemas(document, (node, path) => {
    const problem = findProblem(node) ?? findRegExpProblem(node) ?? findReferenceProblem(node);
    if (problem !== undefined) conversion.within(writePointer(path), () => conversion.fail(problem));
  });

  function findReferenceProblem(node: JsonSchema): string | undefined {
    const ref = node['$ref'];
    // References below an inner `$id` are relative to that id. Only the validator can resolve them.
    if (typeof ref !== 'string' || hasInnerIds || anchors.has(ref)) return undefined;
    if (ref === '#' || (ref.startsWith('#/') && resolveReference(document, ref) !== undefined))
      return undefined;
    if (!ref.startsWith('#') && typeof document['$id'] === 'string') return undefined;
    return `refers to "${ref}", which is not in the schema. Put the definition under "$defs" and refer to it there.`;
  }
}

function findProblem(node: JsonSchema): string | undefined {
  const { type } = node;
  const isUsual = type === undefined || TYPES.has(type as string);
  const wrong = isUsual ? undefined : [type ?? []].flat().find((one) => !TYPES.has(one as string));
  if (wrong !== undefined)
    return `has the type ${JSON.stringify(wrong)}. Use one of ${[...TYPES].join(', ')}.`;
  for (const keyword of SCHEMA_MAPS)
    if (node[keyword] !== undefined && !isRecord(node[keyword]))
      return `has a "${keyword}" that is not an object. It must map names to schemas.`;
  for (const keyword of LISTS)
    if (node[keyword] !== undefined && !Array.isArray(node[keyword]))
      return `has a "${keyword}" that is not an array.`;
  const { required } = node;
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === 'string'))
  )
    return 'has a "required" that is not a list of names. It belongs next to "properties" and lists the required ones.';
  return undefined;
}

function findRegExpProblem(node: JsonSchema): string | undefined {
  const { pattern, patternProperties } = node;
  if (pattern !== undefined && !isRegExp(pattern, '') && !isRegExp(pattern, 'u'))
    return `has the pattern ${JSON.stringify(pattern)}, which is not a valid regular expression.`;
  const wrong = Object.keys(isRecord(patternProperties) ? patternProperties : {}).find(
    (name) => !isRegExp(name, 'u'),
  );
  return wrong === undefined
    ? undefined
    : `has the property pattern ${JSON.stringify(wrong)}, which is not a valid regular expression with the "u" flag.`;
}

/** Whether a value is the source of a regular expression that is valid with these flags. */
export function isRegExp(source: unknown, flags: string): boolean {
  if (typeof source !== 'string') return false;
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

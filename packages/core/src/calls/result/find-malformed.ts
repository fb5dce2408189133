// Finds results that the CLI's schema refuses, and lists the problems as the CLI lists them to the model. MCP servers that
// this library creates never give such a result; other MCP servers can.
import { isRecord } from '../../util/guards.js';
import type { RecordedResult } from '../../wire/protocol/config/call-records.js';

/** One problem, as the CLI writes it. */
export interface MalformedIssue {
  expected?: string;
  code: string;
  values?: string[];
  errors?: MalformedIssue[][];
  path: (string | number)[];
  message: string;
}

type Field = { name: string; literal?: string };

// The required fields of each kind of block, in the order in which the CLI checks them. `resource` is checked separately.
const KINDS: readonly (readonly Field[])[] = [
  [{ name: 'type', literal: 'text' }, { name: 'text' }],
  [{ name: 'type', literal: 'image' }, { name: 'data' }, { name: 'mimeType' }],
  [{ name: 'type', literal: 'audio' }, { name: 'data' }, { name: 'mimeType' }],
  [{ name: 'name' }, { name: 'uri' }, { name: 'type', literal: 'resource_link' }],
  [{ name: 'type', literal: 'resource' }],
];

const RESOURCE = 4;
const RESOURCE_KINDS: readonly (readonly Field[])[] = [
  [{ name: 'uri' }, { name: 'text' }],
  [{ name: 'uri' }, { name: 'blob' }],
];

/** The problems of a result; empty if the CLI accepts it. */
export function findIssues({ content, structuredContent }: RecordedResult): MalformedIssue[] {
  const issues: MalformedIssue[] = [];
  const given: unknown = content;
  if (given !== undefined && !Array.isArray(given)) issues.push(wrongType('array', given, ['content']));
  if (Array.isArray(given)) {
    given.forEach((block: unknown, index) => issues.push(...findBlockIssues(block, ['content', index])));
  }
  if (structuredContent !== undefined && !isRecord(structuredContent)) {
    issues.push(wrongType('record', structuredContent, ['structuredContent']));
  }
  return issues;
}

function findBlockIssues(block: unknown, path: (string | number)[]): MalformedIssue[] {
  if (!isRecord(block)) {
    return [
      {
        code: 'invalid_union',
        errors: KINDS.map(() => [wrongType('object', block, [])]),
        path,
        message: INVALID,
      },
    ];
  }
  const errors = KINDS.map((fields, kind) => [
    ...findFieldIssues(block, fields),
    ...(kind === RESOURCE ? findResourceIssues(block['resource']) : []),
  ]);
  if (errors.every((found) => found.length > 0))
    return [{ code: 'invalid_union', errors, path, message: INVALID }];
  return findBase64Issues(block, path);
}

const INVALID = 'Invalid input';

function findResourceIssues(resource: unknown): MalformedIssue[] {
  const errors = RESOURCE_KINDS.map((fields) =>
    isRecord(resource) ? findFieldIssues(resource, fields) : [wrongType('object', resource, [])],
  );
  if (errors.some((found) => found.length === 0)) return [];
  return [{ code: 'invalid_union', errors, path: ['resource'], message: INVALID }];
}

function findFieldIssues(block: Record<string, unknown>, fields: readonly Field[]): MalformedIssue[] {
  return fields.flatMap(({ name, literal }): MalformedIssue[] => {
    const value = block[name];
    if (literal === undefined) return typeof value === 'string' ? [] : [wrongType('string', value, [name])];
    if (value === literal) return [];
    const message = `Invalid input: expected "${literal}"`;
    return [{ code: 'invalid_value', values: [literal], path: [name], message }];
  });
}

function findBase64Issues(block: Record<string, unknown>, path: (string | number)[]): MalformedIssue[] {
  const resource = block['resource'];
  const [data, place] =
    block['type'] === 'resource' && isRecord(resource)
      ? [resource['text'] === undefined ? resource['blob'] : undefined, ['resource', 'blob']]
      : [block['type'] === 'image' || block['type'] === 'audio' ? block['data'] : undefined, ['data']];
  if (typeof data !== 'string' || !/[^A-Za-z0-9+/=\s]/.test(data)) return [];
  return [{ code: 'custom', path: [...path, ...place], message: 'Invalid Base64 string' }];
}

function wrongType(expected: string, value: unknown, path: (string | number)[]): MalformedIssue {
  const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const message = `Invalid input: expected ${expected}, received ${received}`;
  return { expected, code: 'invalid_type', path, message };
}

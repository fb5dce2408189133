// Makes the output of the JSON Schema validator readable. Each mistake is reported once, with its place and what was
// expected.
import { showChoice, type SchemaIssue } from '../compiled-schema.js';
import { splitPointer } from './references.js';

/** One line of the validator's output. A summary comes before the lines that it sums up. */
export interface OutputUnit {
  keyword: string;
  keywordLocation: string;
  instanceLocation: string;
  error: string;
}

// These keywords only report that something below them failed.
const WRAPPERS = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
]);

/** The mistakes in `value`, from the validator's output. */
export function readJsonSchemaIssues(units: readonly OutputUnit[], value: unknown): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index] as OutputUnit;
    if (WRAPPERS.has(unit.keyword)) continue;
    const path = readPath(unit.instanceLocation, value);
    if (unit.keyword === 'required') {
      issues.push({ path: [...path, quotedName(unit.error)], message: 'Required, but missing' });
      continue;
    }
    const start = index + 1;
    while (index + 1 < units.length && isBelow(unit, units[index + 1] as OutputUnit)) index += 1;
    const parts = units.slice(start, index + 1);
    issues.push({ path, message: writeMessage(unit, parts, path.length, value) });
  }
  return issues;
}

function isBelow(unit: OutputUnit, next: OutputUnit): boolean {
  if (next.keywordLocation.startsWith(`${unit.keywordLocation}/`)) return true;
  // A line about a property that is not allowed has no keyword location of its own. It belongs to a union if the property
  // is inside the value that the union describes.
  const isUnion = unit.keyword === 'anyOf' || unit.keyword === 'oneOf';
  return isUnion && next.keyword === 'false' && next.instanceLocation.startsWith(`${unit.instanceLocation}/`);
}

function writeMessage(unit: OutputUnit, parts: readonly OutputUnit[], depth: number, value: unknown): string {
  const { keyword, error } = unit;
  switch (keyword) {
    case 'type': {
      const [received, ...expected] = [...error.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
      return `Expected ${expected.join(' or ')}, received ${received}`;
    }
    case 'const':
      return `${error.replace(/^Instance does not match (.*)\.$/s, 'Expected $1')}, received ${showChoice(readAt(unit.instanceLocation, value))}`;
    case 'enum':
      return `${error.replace(/^Instance does not match any of \[(.*)\]\.$/s, 'Expected one of $1')}, received ${showChoice(readAt(unit.instanceLocation, value))}`;
    case 'false':
      return 'Not an allowed property';
    case 'not':
      return 'Has a form that is not allowed';
    case 'anyOf':
    case 'oneOf': {
      const matches = /\((\d+) matches\)/.exec(error)?.[1] ?? '0';
      if (matches !== '0') return `Matches ${matches} of the allowed forms, but must match exactly one`;
      return `Matches none of the allowed forms: ${describeForms(unit, parts, depth, value)}`;
    }
    default:
      return error.replace(/^Instance /, 'Value ').replace(/\.$/, '');
  }
}

function describeForms(
  unit: OutputUnit,
  parts: readonly OutputUnit[],
  depth: number,
  value: unknown,
): string {
  const forms = new Map<string, OutputUnit[]>();
  let branch = '';
  for (const part of parts) {
    if (part.keyword !== 'false')
      branch = part.keywordLocation.slice(unit.keywordLocation.length + 1).split('/')[0] ?? '';
    const form = forms.get(branch);
    if (form) form.push(part);
    else forms.set(branch, [part]);
  }
  return [...forms.values()]
    .map((form) =>
      readJsonSchemaIssues(form, value)
        .map(({ path, message }) => [path.slice(depth).join('.'), message].filter(Boolean).join(': '))
        .join(', '),
    )
    .map((text, index) => `(${index + 1}) ${text}`)
    .join('; ');
}

function readPath(pointer: string, value: unknown): (string | number)[] {
  let node = value;
  return splitPointer(pointer).map((key) => {
    const isIndex = Array.isArray(node);
    node = (node as Record<string, unknown> | undefined)?.[key];
    return isIndex ? Number(key) : key;
  });
}

function readAt(pointer: string, value: unknown): unknown {
  let node = value;
  for (const key of splitPointer(pointer)) node = (node as Record<string, unknown> | undefined)?.[key];
  return node;
}

function quotedName(error: string): string {
  return /"(.*)"/s.exec(error)?.[1] ?? '';
}

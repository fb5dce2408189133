// Writes the checks of zod 3 strings and numbers as JSON Schema keywords.
import type { JsonSchema } from '../compiled-schema.js';
import { addPatterns } from '../json-schema/json-nodes.js';

/** One entry of `_def.checks`. Its `kind` decides which fields it has. */
export interface Zod3Check {
  kind: string;
  value?: number | string;
  inclusive?: boolean;
  regex?: RegExp;
  version?: 'v4' | 'v6';
}

// JSON Schema has other names for these formats.
const FORMAT_NAMES: Record<string, string> = { url: 'uri', datetime: 'date-time' };
const FORMATS = new Set(
  'email url uuid nanoid cuid cuid2 ulid emoji datetime date time duration jwt base64 base64url'.split(' '),
);

/** A string with its checks. If there are several patterns, all must match. */
export function writeString3(checks: readonly Zod3Check[]): JsonSchema {
  const json: JsonSchema = { type: 'string' };
  const patterns: string[] = [];
  for (const check of checks) {
    const { kind, value } = check;
    if (kind === 'min' || kind === 'length')
      json['minLength'] = Math.max(value as number, (json['minLength'] as number) ?? 0);
    if (kind === 'max' || kind === 'length')
      json['maxLength'] = Math.min(value as number, (json['maxLength'] as number) ?? Infinity);
    if (kind === 'regex' && check.regex) patterns.push(check.regex.source);
    if (kind === 'includes') patterns.push(escapeRegExp(String(value)));
    if (kind === 'startsWith') patterns.push(`^${escapeRegExp(String(value))}`);
    if (kind === 'endsWith') patterns.push(`${escapeRegExp(String(value))}$`);
    if (kind === 'ip' && check.version) json['format'] = `ip${check.version}`;
    if (FORMATS.has(kind)) json['format'] = FORMAT_NAMES[kind] ?? kind;
    if (kind === 'base64' || kind === 'base64url') json['contentEncoding'] = kind;
  }
  return addPatterns(json, patterns);
}

/** A number or integer with its checks. If there are several bounds, the narrowest counts. */
export function writeNumber3(checks: readonly Zod3Check[]): JsonSchema {
  const bounds = { min: -Infinity, isMinExclusive: false, max: Infinity, isMaxExclusive: false };
  const divisors: number[] = [];
  let type = 'number';
  for (const { kind, value, inclusive } of checks) {
    const limit = value as number;
    if (kind === 'int') type = 'integer';
    if (kind === 'multipleOf') divisors.push(Math.abs(limit));
    if (kind === 'min' && (limit > bounds.min || (limit === bounds.min && !inclusive)))
      Object.assign(bounds, { min: limit, isMinExclusive: !inclusive });
    if (kind === 'max' && (limit < bounds.max || (limit === bounds.max && !inclusive)))
      Object.assign(bounds, { max: limit, isMaxExclusive: !inclusive });
  }
  const json: JsonSchema = { type };
  if (Number.isFinite(bounds.min)) json[bounds.isMinExclusive ? 'exclusiveMinimum' : 'minimum'] = bounds.min;
  if (Number.isFinite(bounds.max)) json[bounds.isMaxExclusive ? 'exclusiveMaximum' : 'maximum'] = bounds.max;
  if (divisors.length > 0) json['multipleOf'] = divisors[0];
  if (divisors.length > 1) json['allOf'] = divisors.slice(1).map((divisor) => ({ multipleOf: divisor }));
  return json;
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

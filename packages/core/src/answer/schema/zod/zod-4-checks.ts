// Reads the checks of zod 4 strings, numbers and arrays.
import type { Zod4CheckDefinition, Zod4Schema } from './zod-4-schema.js';

/** The checks of one schema. If a bound is set several times, the narrowest counts. */
export interface Checks {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  divisors: number[];
  isInteger: boolean;
  format?: string;
  /** Whether the format allows a local time or a time without seconds, which the JSON Schema format does not allow. */
  isLaxFormat: boolean;
  patterns: RegExp[];
}

const NUMBER_RANGES: Record<string, [number, number]> = {
  safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  float32: [-3.4028234663852886e38, 3.4028234663852886e38],
  float64: [-Number.MAX_VALUE, Number.MAX_VALUE],
};

// zod validates these formats with a loose pattern and with code. The listed schema has the exact pattern.
const EXACT_PATTERNS: Record<string, RegExp> = {
  base64: /^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$/,
  base64url: /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$/,
};

/** Collects the checks of a schema. A format schema such as `z.email()` is its own first check. */
export function readChecks(schema: Zod4Schema): Checks {
  const checks: Checks = { divisors: [], isInteger: false, isLaxFormat: false, patterns: [] };
  const definition = schema._zod.def as Zod4CheckDefinition;
  if (definition.check !== undefined) addCheck(checks, definition);
  for (const check of schema._zod.def.checks ?? []) addCheck(checks, check._zod.def);
  return checks;
}

function addCheck(checks: Checks, check: Zod4CheckDefinition): void {
  switch (check.check) {
    case 'greater_than':
      return raise(checks, check.inclusive ? 'minimum' : 'exclusiveMinimum', check.value);
    case 'less_than':
      return lower(checks, check.inclusive ? 'maximum' : 'exclusiveMaximum', check.value);
    case 'multiple_of':
      // No keyword can express a divisor of zero or infinity. A negative divisor means the same as the positive one.
      if (check.value && Number.isFinite(check.value) && !checks.divisors.includes(Math.abs(check.value)))
        checks.divisors.push(Math.abs(check.value));
      return;
    case 'min_length':
    case 'min_size':
      return raise(checks, 'minimum', check.minimum);
    case 'max_length':
    case 'max_size':
      return lower(checks, 'maximum', check.maximum);
    case 'length_equals':
    case 'size_equals':
      raise(checks, 'minimum', check.length ?? check.size);
      return lower(checks, 'maximum', check.length ?? check.size);
    case 'number_format': {
      const [least, most] = NUMBER_RANGES[check.format ?? ''] ?? [];
      raise(checks, 'minimum', least);
      lower(checks, 'maximum', most);
      if (check.format?.includes('int')) checks.isInteger = true;
      return;
    }
    case 'string_format':
      return addFormat(checks, check);
    default:
  }
}

function addFormat(checks: Checks, check: Zod4CheckDefinition): void {
  checks.format = check.format;
  const pattern = EXACT_PATTERNS[check.format ?? ''] ?? check.pattern;
  if (pattern && !checks.patterns.some((known) => known.source === pattern.source))
    checks.patterns.push(pattern);
  if (check.local || check.precision === -1) checks.isLaxFormat = true;
}

function raise(checks: Checks, key: 'minimum' | 'exclusiveMinimum', value: number | undefined): void {
  if (typeof value === 'number') checks[key] = Math.max(value, checks[key] ?? -Infinity);
}

function lower(checks: Checks, key: 'maximum' | 'exclusiveMaximum', value: number | undefined): void {
  if (typeof value === 'number') checks[key] = Math.min(value, checks[key] ?? Infinity);
}

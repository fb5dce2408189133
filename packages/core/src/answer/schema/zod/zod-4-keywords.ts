// Writes the checks of zod 4 strings and numbers as JSON Schema keywords.
import type { JsonSchema } from '../compiled-schema.js';
import { addPatterns } from '../json-schema/json-nodes.js';
import type { Checks } from './zod-4-checks.js';

// The JSON Schema names of formats that zod names differently. A format with an empty name is left out of the listing.
const FORMAT_NAMES: Record<string, string> = {
  guid: 'uuid',
  url: 'uri',
  datetime: 'date-time',
  json_string: 'json-string',
  regex: '',
  time: '',
};

/** A string with its checks. */
export function writeString(checks: Checks): JsonSchema {
  const json: JsonSchema = { type: 'string' };
  if (checks.minimum !== undefined) json['minLength'] = checks.minimum;
  if (checks.maximum !== undefined) json['maxLength'] = checks.maximum;
  const { format, patterns } = checks;
  const name = format === undefined || checks.isLaxFormat ? '' : (FORMAT_NAMES[format] ?? format);
  if (name !== '') json['format'] = name;
  if (format === 'base64' || format === 'base64url') json['contentEncoding'] = format;
  return addPatterns(
    json,
    patterns.map((pattern) => pattern.source),
  );
}

/** A number or integer with its checks. */
export function writeNumber(checks: Checks): JsonSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = checks;
  const json: JsonSchema = { type: checks.isInteger ? 'integer' : 'number' };
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? -Infinity))
    json['exclusiveMinimum'] = exclusiveMinimum;
  else if (minimum !== undefined) json['minimum'] = minimum;
  if (exclusiveMaximum !== undefined && exclusiveMaximum <= (maximum ?? Infinity))
    json['exclusiveMaximum'] = exclusiveMaximum;
  else if (maximum !== undefined) json['maximum'] = maximum;
  const [first, ...rest] = checks.divisors;
  if (first !== undefined) json['multipleOf'] = first;
  if (rest.length > 0) json['allOf'] = rest.map((divisor) => ({ multipleOf: divisor }));
  return json;
}

// Describes the shape of a JSON value as the CLI does, for the notice about a result with too many tokens.

const MOST_KEYS = 10;

/** Lists keys and types. Objects below the second level are shortened. Of a list, only the first value is described. */
export function describeShape(value: unknown, levels = 2): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${describeShape(value[0], levels - 1)}]`;
  if (typeof value !== 'object') return typeof value;
  if (levels <= 0) return '{...}';
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, MOST_KEYS)
    .map(([key, part]) => `${key}: ${describeShape(part, levels - 1)}`);
  return `{${[...shown, ...(entries.length > MOST_KEYS ? ['...'] : [])].join(', ')}}`;
}

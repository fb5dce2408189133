// The shape of a JSON value in the CLI's words, for the notice about a result with too many tokens.

const MOST_KEYS = 10;

/** Lists keys and types. Objects below the second level are shortened, and of a list only the first value counts. */
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

// The shape of JSON values: which fields there are, and of which types. Two files of one version have the same.

/** A text that is the same for values of one shape. Fields named in `skip` are not looked into. */
export function shapeOf(value: unknown, skip: ReadonlySet<string> = new Set()): string {
  if (Array.isArray(value))
    return `[${[...new Set(value.map((each) => shapeOf(each, skip)))].sort().join('|')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${name}:${skip.has(name) ? 'any' : shapeOf(each, skip)}`);
  return `{${fields.sort().join(',')}}`;
}

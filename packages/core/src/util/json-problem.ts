// Finds a part of a value that JSON would lose or change. The error names the path of that part, because the value may be
// read far from where it was made.
import { hasPlainPrototype } from './plain-json.js';

/** Databases and other readers give up on deeper values. */
const MAX_DEPTH = 200;

/**
 * The first part that JSON cannot carry unchanged, with its path; undefined when there is none. An undefined field
 * counts as missing.
 */
export function findJsonProblem(value: unknown, path: string): string | undefined {
  return look(value, path, []);
}

function look(value: unknown, path: string, above: readonly object[]): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `"${path}" is ${value}`;
    case 'object':
      return value === null ? undefined : lookInside(value, path, above);
    case 'undefined':
      return `"${path}" is undefined`;
    default:
      return `"${path}" is a ${typeof value}`;
  }
}

function lookInside(value: object, path: string, above: readonly object[]): string | undefined {
  if (above.includes(value)) return `"${path}" contains itself`;
  if (above.length >= MAX_DEPTH) return `"${path.slice(0, 80)}…" is more than ${MAX_DEPTH} levels deep`;
  if (!hasPlainPrototype(value)) return `"${path}" is ${describeInstance(value)}`;
  const inside = [...above, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = look(item, `${path}[${index}]`, inside);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const problem = look(field, nameField(path, name), inside);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameField(path: string, name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

function describeInstance(value: object): string {
  if (value instanceof Date) return 'a Date (pass its toISOString())';
  const { constructor } = value as { constructor?: { name?: unknown } };
  const name =
    typeof constructor?.name === 'string' && constructor.name !== ''
      ? constructor.name
      : 'not a plain object';
  return name === 'Object' || name === 'not a plain object' ? 'not a plain object' : `an instance of ${name}`;
}

// Reads and changes a JSON value at a path. A change is made in a copy, except by `defineField`. `__proto__` is an ordinary
// key.
import { isRecord } from '@inboard/core/util/guards.js';
import type { ValuePath } from '../../stream/question.js';

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/** Whether a path exists, even if its value is undefined or null. */
export function hasPath(value: unknown, path: ValuePath): boolean {
  if (path.length === 0) return true;
  const parent = valueAt(value, path.slice(0, -1));
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, path.at(-1) as string);
}

/** A copy with another value at a path; parents that are missing become objects. */
export function withValueAt(value: unknown, path: ValuePath, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const child = withValueAt(valueAt(value, [key]), rest, next);
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1, child);
  const copy: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  return defineField(copy, String(key), child);
}

/** A copy without the value at a path; later items of a list move up. */
export function withoutPath(value: unknown, path: ValuePath): unknown {
  if (!hasPath(value, path) || path.length === 0) return value;
  const key = path.at(-1) as string | number;
  const parent = valueAt(value, path.slice(0, -1));
  const shorter = Array.isArray(parent)
    ? parent.toSpliced(Number(key), 1)
    : Object.fromEntries(Object.entries(parent as object).filter(([name]) => name !== String(key)));
  return withValueAt(value, path.slice(0, -1), shorter);
}

/** Sets a field of the object itself. The field may be called `__proto__`. */
export function defineField<T extends object>(target: T, key: string, value: unknown): T {
  return Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether a path is the same as another one, or lies inside it. */
export function isWithin(path: ValuePath, outer: ValuePath): boolean {
  return outer.length <= path.length && outer.every((key, index) => String(key) === String(path[index]));
}

/** A path as one text, for maps and ids. */
export function pathKey(path: ValuePath): string {
  return JSON.stringify(path);
}

/** A path as a person writes it: `headers.authorization`, `items[2]`. */
export function writePath(path: ValuePath): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^[\w$-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

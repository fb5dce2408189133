// Makes JSON text of values of any depth. `JSON.parse` reads any depth, but `JSON.stringify` is recursive and fails after
// some thousand levels. Even a line of 6 KB can have so many.
import { types } from 'node:util';

/**
 * The result of `JSON.stringify`, at any depth. A value that is too deep for `JSON.stringify` is written without
 * indentation. Undefined for a value that JSON cannot hold. Throws a TypeError for a cycle.
 */
export function stringifyDeep(value: unknown, indent?: number): string | undefined {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    return writeByLoop(value, Object.keys);
  }
}

/** A copy of plain data, at any depth. */
export function cloneDeep<T>(value: T): T {
  try {
    return structuredClone(value);
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    return JSON.parse(writeByLoop(value, Object.keys) as string) as T;
  }
}

/** Whether an error says that a recursion went too deep. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError;
}

/** A list or an object that is being written, and the position in it. */
export interface Level {
  source: Record<string, unknown>;
  /** The names of the fields; undefined for a list. */
  names: string[] | undefined;
  length: number;
  at: number;
  isEmpty: boolean;
}

/** Writes the text without recursion. `listNames` gives the fields of an object in the order of writing. */
export function writeByLoop(root: unknown, listNames: (fields: object) => string[]): string | undefined {
  const pieces: string[] = [];
  const levels: Level[] = [];
  const open = new Set<object>();

  /** Writes `lead`, and then a value or its opening bracket. Returns false for a value that JSON cannot hold. */
  const begin = (given: unknown, key: string, lead: string): boolean => {
    const value = toPlain(given, key);
    if (!isContainer(value)) {
      const text = JSON.stringify(value) as string | undefined;
      if (text !== undefined) pieces.push(lead, text);
      return text !== undefined;
    }
    if (open.has(value)) throw new TypeError('A value that contains itself has no JSON');
    open.add(value);
    const level = openLevel(value, listNames);
    levels.push(level);
    pieces.push(lead, level.names ? '{' : '[');
    return true;
  };

  if (!begin(root, '', '')) return undefined;
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (level.at === level.length) {
      levels.pop();
      open.delete(level.source);
      pieces.push(level.names ? '}' : ']');
      continue;
    }
    const key = level.names?.[level.at] ?? String(level.at);
    level.at += 1;
    const comma = level.isEmpty ? '' : ',';
    const lead = level.names ? `${comma}${JSON.stringify(key)}:` : comma;
    if (begin(level.source[key], key, lead)) level.isEmpty = false;
    else if (!level.names) {
      pieces.push(lead, 'null');
      level.isEmpty = false;
    }
  }
  return pieces.join('');
}

/** Begins to write a list or an object. */
export function openLevel(value: object, listNames: (fields: object) => string[]): Level {
  const names = Array.isArray(value) ? undefined : listNames(value);
  const length = names?.length ?? (value as unknown[]).length;
  return { source: value as Level['source'], names, length, at: 0, isEmpty: true };
}

/** The result of `toJSON` for a value that has it; any other value unchanged. */
export function toPlain(value: unknown, key: string): unknown {
  if (!isContainer(value)) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, key) as unknown) : value;
}

/** Whether JSON writes a value with brackets. A boxed primitive is an object too, but is written as the primitive. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !types.isBoxedPrimitive(value);
}

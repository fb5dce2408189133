// Finds the places where two JSON values differ. A hidden text in the taped value equals any text in the live value.
import { isRecord } from '../../../util/guards.js';
import { fitsPieces } from '../../../util/wildcards.js';
import { HIDDEN } from '../trace-event.js';

/** One place where two values differ. A side that has no value at this place is undefined. */
export interface JsonChange {
  /** The place, as in `content[0].text`; empty for the value as a whole. */
  path: string;
  taped: unknown;
  live: unknown;
}

interface Pair {
  taped: unknown;
  live: unknown;
  path: string;
}

/**
 * Every place where `live` differs from `taped`, in the order of `taped`. The function is not recursive, because the
 * values may be nested to any depth.
 */
export function diffJson(taped: unknown, live: unknown, path = ''): JsonChange[] {
  const changes: JsonChange[] = [];
  const waiting: Pair[] = [{ taped, live, path }];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    if (pair.taped === pair.live) continue;
    const parts = listParts(pair);
    // `waiting` is a stack, so the parts are pushed in reverse order.
    if (parts) for (const part of parts.toReversed()) waiting.push(part);
    else if (!fitsHidden(pair.taped, pair.live)) changes.push(toChange(pair));
  }
  return changes;
}

function toChange({ path, taped, live }: Pair): JsonChange {
  return { path, taped, live };
}

/** The parts of two lists or two objects, in pairs; undefined if the values are not two lists or two objects. */
function listParts({ taped, live, path }: Pair): Pair[] | undefined {
  if (Array.isArray(taped) && Array.isArray(live)) {
    return Array.from({ length: Math.max(taped.length, live.length) }, (_, index) => ({
      taped: taped[index] as unknown,
      live: live[index] as unknown,
      path: `${path}[${index}]`,
    }));
  }
  if (!isRecord(taped) || !isRecord(live)) return undefined;
  // An absent field and an undefined one are the same on the wire.
  const names = new Set([...Object.keys(taped), ...Object.keys(live)]);
  return [...names].map((name) => ({
    taped: ownField(taped, name),
    live: ownField(live, name),
    path: joinPath(path, name),
  }));
}

/** The value of an own field. An inherited field, such as `constructor`, does not count. */
function ownField(fields: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function fitsHidden(taped: unknown, live: unknown): boolean {
  if (typeof taped !== 'string') return false;
  const pieces = taped.split(HIDDEN);
  if (pieces.length === 1) return false;
  if (typeof live === 'string') return fitsPieces(pieces, live);
  return live !== undefined && pieces.every((piece) => piece === '');
}

function joinPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

const STEP = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([\w$-]+)/y;

/** The value at the path of a change; undefined if there is none. */
export function findAtPath(value: unknown, path: string): unknown {
  let found = value;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const [, index, quoted, plain] = STEP.exec(path) ?? [];
    const name = index ?? plain ?? (quoted === undefined ? undefined : (JSON.parse(quoted) as string));
    if (name === undefined || typeof found !== 'object' || found === null) return undefined;
    found = ownField(found as Record<string, unknown>, name);
  }
  return found;
}

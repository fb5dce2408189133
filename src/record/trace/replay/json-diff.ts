// Where two JSON values differ, path by path. What was hidden on the left fits anything on the right.
import { isRecord } from '../../../util/guards.js';
import { REDACTED } from '../trace-event.js';

/** One place where two values differ; a side that has nothing there is undefined. */
export interface JsonChange {
  /** As in `content[0].text`; empty for the value as a whole. */
  path: string;
  taped: unknown;
  live: unknown;
}

/** Every place where `live` is not what `taped` says, in the order of `taped`. */
export function diffJson(taped: unknown, live: unknown, path = ''): JsonChange[] {
  if (taped === live) return [];
  if (Array.isArray(taped) && Array.isArray(live)) {
    return Array.from({ length: Math.max(taped.length, live.length) }, (_, index) =>
      diffJson(taped[index], live[index], `${path}[${index}]`),
    ).flat();
  }
  if (isRecord(taped) && isRecord(live)) {
    // An absent field and an undefined one are the same on the wire.
    const names = new Set([...Object.keys(taped), ...Object.keys(live)]);
    return [...names].flatMap((name) => diffJson(taped[name], live[name], joinPath(path, name)));
  }
  if (typeof taped === 'string' && taped.includes(REDACTED) && fitsHidden(taped, live)) return [];
  return [{ path, taped, live }];
}

function fitsHidden(taped: string, live: unknown): boolean {
  if (typeof live !== 'string') return taped === REDACTED && live !== undefined;
  // Piece by piece and in order, so that a long text costs its length.
  const pieces = taped.split(REDACTED);
  const [first = '', ...rest] = pieces;
  const last = rest.pop() ?? '';
  if (!live.startsWith(first) || !live.endsWith(last)) return false;
  let from = first.length;
  for (const piece of rest) {
    const found = live.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return from <= live.length - last.length;
}

function joinPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

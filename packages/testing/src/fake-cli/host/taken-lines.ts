// The lines of the host that a script can read with `expectLine`, whether or not the fake acts on them too. The ids of
// the control requests that were read are remembered, because the script may answer them.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { LineMatcher } from '../script/fake-step.js';

export class TakenLines {
  readonly #waiting: WireObject[] = [];
  readonly #requestIds = new Map<string, unknown>();
  #last: WireObject | undefined;
  #lastRequestId: unknown;

  /** The line that the script took last. */
  get last(): WireObject | undefined {
    return this.#last;
  }

  add(line: WireObject): void {
    this.#waiting.push(line);
  }

  /**
   * Takes the first line that matches. Other lines may come before it, because the host may send unrelated lines in any
   * order.
   */
  take(matcher: LineMatcher, name?: string): WireObject | undefined {
    const index = this.#waiting.findIndex((line) => matchesLine(matcher, line));
    const [line] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (!line) return undefined;
    this.#last = line;
    const { type, request, request_id: id } = line;
    if (type === 'control_request' && isRecord(request)) {
      this.#lastRequestId = id;
      this.#requestIds.set(name ?? String(request['subtype']), id);
    }
    return line;
  }

  /** The id of the request that was taken under this name. Without a name, the id of the last request. */
  findRequestId(name: string | undefined): unknown {
    const id = name === undefined ? this.#lastRequestId : this.#requestIds.get(name);
    if (id === undefined) throw new TypeError(`expectLine() has not taken a request ${name ?? 'yet'}`);
    return id;
  }
}

function matchesLine(matcher: LineMatcher, line: WireObject): boolean {
  if (typeof matcher === 'function') return matcher(line);
  if (typeof matcher !== 'string') return contains(line, matcher);
  if (matcher === 'user') return line['type'] === 'user';
  return contains(line, { type: 'control_request', request: { subtype: matcher } });
}

function contains(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(value, part);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(part).every(([key, inner]) => contains((value as WireObject)[key], inner));
}

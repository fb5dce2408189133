// Encodes an event as one line of JSON, and decodes it. The lines of a trace file are the same without number and session.
import { isRecord } from '@inboard/core/util/guards.js';
import type { NumberedEvent, InspectorEvent } from './inspector-event.js';

/** The line of an event whose JSON exists already. `json` must be an object with at least one field. */
export function numberLine(n: number, s: string, json: string, isCut = false): string {
  return `{"n":${n},"s":${JSON.stringify(s)},${isCut ? '"isCut":true,' : ''}${json.slice(1)}`;
}

/** The number of an encoded event, without decoding it; 0 for other texts. */
export function numberOf(line: string): number {
  return Number(/^\{"n":(\d{1,15}),/.exec(line)?.[1] ?? 0);
}

/** The line of an event. */
export function encodeNumbered({ n, s, event, isCut, bytes }: NumberedEvent): string {
  return JSON.stringify({ n, s, ...(isCut === true && { isCut, bytes }), ...event });
}

/** The event of a line; undefined for other texts. */
export function decodeNumbered(line: string): NumberedEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { n, s, isCut, bytes, ...event } = value;
  if (typeof n !== 'number' || typeof s !== 'string' || typeof event['type'] !== 'string') return undefined;
  return {
    n,
    s,
    event: event as unknown as InspectorEvent,
    ...(isCut === true && { isCut, ...(typeof bytes === 'number' && { bytes }) }),
  };
}

// Numbers the events of a trace file: the first event opens the recording, and each line follows with its line number plus
// one. If every line is an event, the self-contained page has the same numbers.
import type { TraceHeader } from '@inboard/core/record/trace/trace-event.js';
import type { SessionOpened } from './inspector-event.js';

/** The number of the event that opens a recording. */
export const OPENING_NUMBER = 1;

/** The event that opens a recording, made from its header. */
export function openRecording({ startedAt }: Pick<TraceHeader, 'startedAt'>): SessionOpened {
  return { type: 'opened', t: 0, kind: 'trace', startedAt };
}

/** The number of the event on a line, which counts from 1. */
export function numberOfLine(line: number): number {
  return line + OPENING_NUMBER;
}

/** The line of an event, from 1; 0 for the event that opens the recording. */
export function lineOfNumber(n: number): number {
  return n - OPENING_NUMBER;
}

// Reads traces line by line, including traces of hosts that were killed. Torn lines are left out and reported.
import { asString, isRecord } from '../../util/guards.js';
import { TraceError } from '../../errors.js';
import { createLineSplitter } from '../../wire/protocol/line-splitter.js';
import { readPieces } from './read-pieces.js';
import { TRACE_FORMAT, TRACE_VERSION } from './trace-event.js';
import type { Trace, TraceEvent, TraceHeader } from './trace-event.js';

/** How a trace is read. */
export interface ReadTraceOptions {
  /** Called with the description of each line that is left out. */
  onProblem?: ((problem: string) => void) | undefined;
  /** Ends the reading, which then rejects with the reason of the signal. A pipe may have no end. */
  signal?: AbortSignal | undefined;
}

const KINDS = new Set(['header', 'frame', 'completed', 'fault', 'input-end', 'terminate', 'gap', 'end']);

/**
 * Reads a trace event by event, the header first. Only one piece of the file is in memory at a time. Throws a TraceError
 * for a file that is not a trace, or whose format version is newer than this package knows.
 */
export async function* streamTrace(
  file: string,
  { onProblem = () => {}, signal }: ReadTraceOptions = {},
): AsyncGenerator<TraceEvent, void, undefined> {
  let number = 0;
  let hasHeader = false;
  for await (const line of readLines(file, signal)) {
    number += 1;
    if (line.text.trim() === '') continue;
    const event = decodeTraceEvent(line.text);
    if (!hasHeader) {
      checkTraceHeader(event, file);
      hasHeader = true;
    }
    if (event) yield event;
    else
      onProblem(
        line.isTorn
          ? `Line ${number} is incomplete: the host ended while writing it`
          : `Line ${number} is not a trace event, and was left out`,
      );
  }
  if (!hasHeader) {
    throw new TraceError('TRACE_UNREADABLE', `${file} is empty, so it is not a trace.`, { file });
  }
}

/** Reads a whole trace into memory. Tolerates a torn end. Throws a TraceError for a file that is not a trace. */
export async function readTrace(
  file: string,
  { signal }: Pick<ReadTraceOptions, 'signal'> = {},
): Promise<Trace> {
  const problems: string[] = [];
  const events: TraceEvent[] = [];
  for await (const event of streamTrace(file, { onProblem: (problem) => problems.push(problem), signal }))
    events.push(event);
  return { ...traceOf(events), problems };
}

/** Makes a trace of events, such as those that a sink received. Throws a TraceError if none of them is a header. */
export function traceOf(events: Iterable<TraceEvent>): Trace {
  let header: TraceHeader | undefined;
  const trace: Omit<Trace, 'header'> = { steps: [], end: undefined, problems: [] };
  for (const event of events) {
    if (event.type === 'header') header ??= event;
    else if (event.type === 'end') trace.end = event;
    else trace.steps.push(event);
  }
  if (!header) {
    const message =
      'These events do not include a header, so they are not a trace. Keep every event the sink receives, from the first one.';
    throw new TraceError('TRACE_UNREADABLE', message);
  }
  return { header, ...trace };
}

interface Line {
  text: string;
  /** Whether the line has no line feed. It is then the last line of a file that was cut off. */
  isTorn: boolean;
}

async function* readLines(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Line, void, undefined> {
  let lines: string[] = [];
  const splitter = createLineSplitter({
    onLine: (line) => lines.push(line),
    onOversized: () => lines.push(''),
    maxLineBytes: Infinity,
  });
  let endsWithFeed = true;
  try {
    for await (const chunk of readPieces(file, signal)) {
      splitter.push(chunk);
      endsWithFeed = chunk.at(-1) === 0x0a;
      const ready = lines;
      lines = [];
      for (const text of ready) yield { text, isTorn: false };
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new TraceError(
      'TRACE_UNREADABLE',
      `The trace ${file} cannot be read: ${(cause as Error).message}`,
      { cause, file },
    );
  }
  splitter.end();
  for (const text of lines) yield { text, isTorn: !endsWithFeed };
}

/** The event on a line of a trace; undefined for anything else. */
export function decodeTraceEvent(text: string): TraceEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRecord(value) && KINDS.has(asString(value['type']) ?? '')
    ? (value as unknown as TraceEvent)
    : undefined;
}

/** Throws a TraceError when the first event of a file is not the header of a trace that this version reads. */
export function checkTraceHeader(event: TraceEvent | undefined, file: string): asserts event is TraceHeader {
  if (event?.type !== 'header' || event.format !== TRACE_FORMAT) {
    const message = `${file} is not a trace: its first line is not a trace header. Record a trace with the option "trace".`;
    throw new TraceError('TRACE_UNREADABLE', message, { file, line: 1 });
  }
  const version: unknown = event.version ?? TRACE_VERSION;
  if (typeof version !== 'number' || version > TRACE_VERSION) {
    const writer = typeof event.inboard === 'string' ? `inboard ${event.inboard}` : 'a newer Inboard';
    const message = `${file} was written by ${writer} in version ${JSON.stringify(version)} of the trace format, but this package only reads up to version ${TRACE_VERSION}. Update inboard.`;
    throw new TraceError('TRACE_UNREADABLE', message, { file, line: 1 });
  }
}

// The two kinds of receivers of a trace. A sink of the user gets events as objects. A file gets them as lines.
import type { TraceEvent } from '../trace-event.js';

/** Receives the events of one session. An error that it throws or rejects with ends the recording, not the session. */
export interface TraceSink {
  write(event: TraceEvent): void;
  /** Called once, after the last event. */
  close?(): void;
}

/** A sink for encoded events, so that a frame need not be decoded for it. */
export interface LineSink {
  /** `line` is the JSON of one event, without its line feed. */
  writeLine(line: string): void;
  /** Called after each batch, to pass it to the system. */
  flush(isLast: boolean): void;
  /** Whether too much is waiting to be written, so that no more frames should be given to the sink. */
  isBehind(): boolean;
  close(): void;
}

/** Whether a sink takes lines instead of events. */
export function isLineSink(sink: TraceSink | LineSink): sink is LineSink {
  return 'writeLine' in sink;
}

// A trace comes from a file, which anybody may have written: its steps are made readable here, so that rows, spans and
// pages can trust times to be numbers and frames to be objects.
import { isRecord } from '../../../util/guards.js';
import type { TraceEnd, TraceStep } from '../trace-event.js';

/** Thirty years: beyond it a time is a mistake, and would leave the others no room. */
const LATEST_MS = 1e12;
const TEXT_CHARACTERS = 400;

/** Reads the times of one trace in their order, and counts those that are none. */
export class TimeReader {
  #last = 0;
  #wrong = 0;

  /** The time of the last event; of what has none of its own. */
  get last(): number {
    return this.#last;
  }

  /** The time, or that of the event before where it is no time at all. */
  read(t: unknown): number {
    if (typeof t === 'number' && t >= 0 && t <= LATEST_MS) this.#last = t;
    else this.#wrong += 1;
    return this.#last;
  }

  /** What there is to say about the times. */
  listProblems(): string[] {
    if (this.#wrong === 0) return [];
    const [what, are] = this.#wrong === 1 ? ['event', 'has'] : ['events', 'have'];
    return [`${this.#wrong} ${what} ${are} no usable time; that of the previous event is used`];
  }
}

/** A step whose fields are what their types say; a frame that is no object becomes a text. */
export function readStep(step: TraceStep, times: TimeReader): TraceStep {
  const t = times.read(step.t);
  switch (step.type) {
    case 'frame': {
      const dir = step.dir === 'out' ? 'out' : 'in';
      const { frame, text, truncated } = step as { frame?: unknown; text?: unknown; truncated?: unknown };
      if (isRecord(frame)) return { type: 'frame', t, dir, frame };
      if (isRecord(truncated)) return { type: 'frame', t, dir, truncated: readTruncated(truncated) };
      return { type: 'frame', t, dir, text: asText(text ?? frame) };
    }
    case 'completed': {
      const { frame, truncated } = step as { frame?: unknown; truncated?: unknown };
      if (isRecord(frame)) return { type: 'completed', t, frame };
      return { type: 'completed', t, truncated: readTruncated(truncated) };
    }
    case 'fault':
      return { type: 'fault', t, code: asText(step.code), message: asText(step.message) };
    case 'gap':
      return { ...step, t, reason: asText(step.reason) as typeof step.reason };
    default:
      return { ...step, t };
  }
}

/** The same for the last line. */
export function readEnd(end: TraceEnd, times: TimeReader): TraceEnd {
  const { exitCode, signal, stderrTail, error, frames } = end as { [Name in keyof TraceEnd]?: unknown };
  return {
    type: 'end',
    t: times.read(end.t),
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? signal : null,
    stderrTail: asText(stderrTail),
    ...(isRecord(error) && { error: { code: asText(error['code']), message: asText(error['message']) } }),
    frames: Number(frames) || 0,
  };
}

function readTruncated(truncated: unknown): { bytes: number; head: string } {
  const { bytes, head } = isRecord(truncated) ? truncated : {};
  return { bytes: Number(bytes) || 0, head: asText(head) };
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return (JSON.stringify(value) ?? '').slice(0, TEXT_CHARACTERS);
  } catch {
    return '(nested too deeply to be shown)';
  }
}

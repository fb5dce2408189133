// Corrects the steps of a trace that any program may have written. Code that makes rows, spans and pages can then rely
// on times being numbers and frames being objects.
import { isRecord } from '../../../util/guards.js';
import type { TraceEnd, TraceStep } from '../trace-event.js';
import type { TimedEvent } from './activity.js';

/** About thirty years. A later time is a mistake, and on a common scale it would leave no room for the other times. */
const LATEST_MS = 1e12;
const TEXT_CHARACTERS = 400;

/**
 * Reads the times of one session in order, and counts those that are invalid. Every view and every total takes its times from
 * this rule: the time of an event is never before that of the event before, so that no length of time is negative.
 */
export class TimeReader {
  #last = 0;
  #zero: number | undefined;
  #wrong = 0;

  /** The time of the last event, for an event without a time of its own. */
  get last(): number {
    return this.#last;
  }

  /** A time as it was recorded. If it is invalid, the time of the previous event. */
  read(t: unknown): number {
    if (isUsable(t, this.#last)) this.#last = t;
    else this.#wrong += 1;
    return this.#last;
  }

  /** The time of any event. A header has only its date and time of day. */
  readOf(event: TimedEvent): number {
    if (event.type === 'opened') this.#zero = parseTime(event.startedAt);
    if (event.type !== 'header') return this.read(event.t);
    const began = parseTime(event.startedAt);
    this.#zero ??= began;
    const t = began - this.#zero;
    if (isUsable(t, this.#last)) this.#last = t;
    return this.#last;
  }

  /** The problems with the times, one sentence each. */
  listProblems(): string[] {
    if (this.#wrong === 0) return [];
    const [what, are] = this.#wrong === 1 ? ['event', 'has'] : ['events', 'have'];
    return [`${this.#wrong} ${what} ${are} no usable time; that of the previous event is used`];
  }
}

function isUsable(t: unknown, last: number): t is number {
  return typeof t === 'number' && t >= last && t <= LATEST_MS;
}

/** NaN for a value that is not a time. */
function parseTime(text: unknown): number {
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

/**
 * A step whose fields have usable types. A frame that is not an object becomes a text, or in a `completed` step an empty
 * `truncated`. The reason of a gap becomes a text, but need not be one of the declared reasons.
 */
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

/** Like `readStep`, for the last event of a trace. */
export function readEnd(end: TraceEnd, times: TimeReader): TraceEnd {
  const { exitCode, signal, stderrTail, error, frames } = end as { [Name in keyof TraceEnd]?: unknown };
  return {
    type: 'end',
    t: times.read(end.t),
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? signal : null,
    stderrTail: asText(stderrTail),
    ...(isRecord(error) && { error: { code: asText(error['code']), message: asText(error['message']) } }),
    frames: typeof frames === 'number' ? frames : 0,
  };
}

function readTruncated(truncated: unknown): { bytes: number; head: string } {
  const { bytes, head } = isRecord(truncated) ? truncated : {};
  return { bytes: typeof bytes === 'number' ? bytes : 0, head: asText(head) };
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return (JSON.stringify(value) ?? '').slice(0, TEXT_CHARACTERS);
  } catch {
    return '(nested too deeply to be shown)';
  }
}

// The types of the timeline: spans in lanes, lanes in groups. Also functions that need only these types.
import type { Activity } from '@inboard/core/record/trace/timeline/activity.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** The share that a time counts for, as views name it. Hooks count as the program's code. */
export type ShareKey = keyof TimeShares;

/** A stretch of time that counts for one share. */
export interface Stretch {
  share: ShareKey;
  start: number;
  end: number;
}

/** A part of a span with its share and label. */
export interface Segment extends Stretch {
  /** As in "waiting for a person", "your code". */
  label: string;
}

/** A bar of the timeline. */
export interface TimeSpan {
  readonly kind:
    'start' | 'ending' | 'model' | 'call' | 'question' | 'code' | 'command' | 'compaction' | 'retry';
  readonly label: string;
  readonly start: number;
  /** The activity that it shows, which decides when it ends. */
  readonly activity: Activity;
  /** Questions, handlers and hooks of a call. */
  readonly parts: Activity[];
  /** The number of the event to show for it. */
  readonly n: number;
}

/** A conversation: the main one, or that of a subagent. */
export interface SpanGroup {
  /** The call that started the subagent; null for the main conversation. */
  readonly key: string | null;
  name: string;
  readonly start: number;
  /** The starts of CLIs and the requests to the model. They do not overlap. */
  readonly model: TimeSpan[];
  /** Everything else; spans of one lane do not overlap. */
  readonly lanes: TimeSpan[][];
}

/** When a span ends; for a running one, the present time. */
export function endOf(span: TimeSpan, now: number): number {
  return Math.max(span.start, span.activity.end ?? now);
}

/** The outcome of a span, if it is worth showing. A refused call did not fail. */
export function spanOutcomeOf({
  kind,
  activity,
}: TimeSpan): 'denied' | 'failed' | 'cut off' | 'not over' | undefined {
  if (kind === 'retry') return undefined;
  if (activity.isDenied) return 'denied';
  if (activity.isError) return 'failed';
  if (activity.isCut) return 'cut off';
  return activity.end === undefined ? 'not over' : undefined;
}

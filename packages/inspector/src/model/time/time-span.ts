// What took time, as the timeline draws it: spans in lanes, lanes in groups. Types, and what follows from them alone.
import type { Activity } from '@inboard/core/record/trace/timeline/activity.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** What a stretch of time counts for, as views name it: hooks are the program's code. */
export type ShareKey = keyof TimeShares;

/** A time that counts for one thing. */
export interface Stretch {
  share: ShareKey;
  start: number;
  end: number;
}

/** A part of a span, and what it is. */
export interface Segment extends Stretch {
  /** As in "waiting for an answer", "your code". */
  label: string;
}

/** A bar of the timeline. */
export interface TimeSpan {
  readonly kind:
    'start' | 'ending' | 'model' | 'call' | 'question' | 'code' | 'command' | 'compaction' | 'retry';
  readonly label: string;
  readonly start: number;
  /** What it is made of; the first one says when it ends. */
  readonly activity: Activity;
  /** Questions, handlers and hooks of a call. */
  readonly parts: Activity[];
  /** The number of the event to show for it. */
  readonly n: number;
}

/** A conversation: the main one, or that of a subagent. */
export interface SpanGroup {
  /** The call of the subagent; null for the main conversation. */
  readonly key: string | null;
  name: string;
  readonly start: number;
  /** What is asked of the model, one at a time. */
  readonly model: TimeSpan[];
  /** Everything else; spans of one lane do not overlap. */
  readonly lanes: TimeSpan[][];
}

/** When a span ends, or how far it has come. */
export function endOf(span: TimeSpan, now: number): number {
  return Math.max(span.start, span.activity.end ?? now);
}

/** How it went, where that is worth a word; a call that was refused did not fail. */
export function outcomeOf({
  kind,
  activity,
  parts,
}: TimeSpan): 'denied' | 'failed' | 'cut off' | 'not over' | undefined {
  if (kind === 'retry') return undefined;
  if (parts.some((part) => part.isDenied)) return 'denied';
  if (activity.isError) return 'failed';
  if (activity.isCut) return 'cut off';
  return activity.end === undefined ? 'not over' : undefined;
}

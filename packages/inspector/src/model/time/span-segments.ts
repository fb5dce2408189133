// Divides a span into segments: a call into waiting for a person, code, and work of the CLI; an answer of the model into
// waiting and writing. If parts overlap, the order of the shares decides: a person before code, code before the rest.
import type { Activity } from '@inboard/core/record/trace/timeline/activity.js';
import { endOf, type Segment, type ShareKey, type TimeSpan } from './time-span.js';

const RANK: readonly ShareKey[] = ['permission', 'code'];

const PHASE_LABELS = { thinking: 'thinking', text: 'writing', input: 'writing a call' } as const;

/** The segments of a span, in order and without gaps. */
export function segmentsOf(span: TimeSpan, now: number): Segment[] {
  if (span.kind === 'model') return answerSegments(span, now);
  const { share, label } = describeRest(span);
  const end = endOf(span, now);
  return span.parts.length === 0
    ? [{ share, label, start: span.start, end }]
    : callSegments(span, now, { share, label });
}

/** The share that gives a bar of one colour its colour: that of the longest segment that is more than overhead. */
export function shareOfBar(segments: readonly Segment[]): ShareKey {
  let best: Segment | undefined;
  for (const segment of segments)
    if (segment.share !== 'overhead' && (!best || segment.end - segment.start > best.end - best.start))
      best = segment;
  return best?.share ?? 'overhead';
}

/** The time of a span that counts for one share. */
export function timeOf(span: TimeSpan, share: ShareKey, now: number): number {
  return segmentsOf(span, now).reduce(
    (sum, segment) => (segment.share === share ? sum + segment.end - segment.start : sum),
    0,
  );
}

function callSegments(span: TimeSpan, now: number, rest: Pick<Segment, 'share' | 'label'>): Segment[] {
  const end = endOf(span, now);
  const parts = span.parts.map((part) => ({
    ...describePart(part),
    start: Math.max(span.start, part.start),
    end: Math.min(end, part.end ?? now),
  }));
  // Sorting is cheap here, because a call has only a few parts.
  const cuts = [...new Set([span.start, end, ...parts.flatMap((part) => [part.start, part.end])])].sort(
    (one, other) => one - other,
  );
  const segments: Segment[] = [];
  for (let index = 1; index < cuts.length; index += 1) {
    const [start, until] = [cuts[index - 1] ?? 0, cuts[index] ?? 0];
    const going = parts
      .filter((part) => part.start <= start && part.end >= until)
      .sort((one, other) => RANK.indexOf(one.share) - RANK.indexOf(other.share))[0];
    const { share, label } = going ?? rest;
    const last = segments.at(-1);
    if (last?.share === share && last.label === label) last.end = until;
    else if (until <= end) segments.push({ share, label, start, end: until });
  }
  return segments.length === 0 ? [{ ...rest, start: span.start, end }] : segments;
}

function answerSegments(span: TimeSpan, now: number): Segment[] {
  const end = endOf(span, now);
  const segments: Segment[] = [];
  let at = span.start;
  const wait = (until: number): void => {
    if (until > at) segments.push({ share: 'model', label: 'waiting for the model', start: at, end: until });
  };
  for (const phase of span.activity.phases ?? []) {
    wait(phase.start);
    segments.push({ share: 'model', label: PHASE_LABELS[phase.kind], start: phase.start, end: phase.end });
    at = Math.max(at, phase.end);
  }
  wait(end);
  return segments;
}

function describePart(part: Activity): Pick<Segment, 'share' | 'label'> {
  if (part.kind === 'question') return { share: 'permission', label: 'waiting for a person' };
  return { share: 'code', label: part.kind === 'hook' ? `hook ${part.name}` : 'your code' };
}

/** The share of a span while none of its parts runs. */
function describeRest({ kind, activity, parts }: TimeSpan): Pick<Segment, 'share' | 'label'> {
  switch (kind) {
    case 'question':
      return { share: 'permission', label: 'waiting for a person' };
    case 'code':
      return { share: 'code', label: activity.kind === 'hook' ? 'hook' : 'your code' };
    case 'compaction':
      return { share: 'model', label: 'compaction' };
    case 'retry':
      return { share: 'model', label: 'pause before another attempt' };
    case 'start':
      return { share: 'overhead', label: 'the CLI starts' };
    case 'ending':
      return { share: 'overhead', label: 'the CLI ends' };
    case 'command':
      return { share: 'cliTools', label: 'hook command' };
    default: {
      const isOurs = activity.share === undefined || parts.some((part) => part.kind === 'handler');
      if (isOurs) return { share: 'overhead', label: 'on its way' };
      return activity.share === 'model'
        ? { share: 'model', label: 'subagent' }
        : { share: 'cliTools', label: 'in the CLI' };
    }
  }
}

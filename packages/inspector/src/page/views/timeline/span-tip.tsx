// Describes a bar with exact times: beside the bar if there is room, else below the lanes.
import type { RefObject } from 'preact';
import { formatDuration, formatExact } from '../../../model/format.js';
import { SHARE_KINDS } from '../../../model/share-words.js';
import { segmentsOf } from '../../../model/time/span-segments.js';
import {
  endOf,
  spanOutcomeOf,
  type Segment,
  type ShareKey,
  type TimeSpan,
} from '../../../model/time/time-span.js';
import { toX } from '../../../model/time/visible-bars.js';
import { Button } from '../../components/button.js';
import { barBox } from './draw-lanes.js';
import type { Pointed, TimelineState } from './timeline-state.js';

const TIP_PX = 300;
const TIP_HEIGHT_PX = 170;

const WHAT: Readonly<Record<TimeSpan['kind'], string>> = {
  start: 'The CLI starts',
  ending: 'The CLI ends',
  model: 'The model is asked',
  call: 'Tool call',
  question: 'Question',
  code: 'Code of the program',
  command: 'Hook command of the CLI',
  compaction: 'The conversation is summarized',
  retry: 'Pause before another attempt',
};

export function SpanTip({
  state,
  scroller,
  onOpen,
}: {
  state: TimelineState;
  scroller: RefObject<HTMLDivElement | null>;
  onOpen: (pointed: Pointed) => void;
}) {
  const pointed = state.pointed.value;
  const isNarrow = state.isNarrow.value;
  const words = pointed ? describe(pointed, state) : '';
  return (
    <>
      <div class="off-screen" aria-live="polite">
        {pointed?.by === 'keys' ? words : ''}
      </div>
      {pointed && (
        <div
          class={isNarrow ? 'tl-tip tl-tip-below' : 'tl-tip'}
          style={isNarrow ? {} : placeTip(pointed, state, scroller.current)}
        >
          <TipBody state={state} pointed={pointed} />
          {isNarrow && <Button onClick={() => onOpen(pointed)}>Show in the story</Button>}
        </div>
      )}
    </>
  );
}

function TipBody({ state, pointed }: { state: TimelineState; pointed: Pointed }) {
  const { span, count, turn } = pointed;
  const { now } = state.window.value;
  const end = endOf(span, now);
  if (count > 1)
    return (
      <>
        <p class="tl-tip-title">
          {formatExact(count)} bars{turn === undefined ? '' : ` in turn ${turn}`}
        </p>
        <p class="soft">Too close to be told apart: zoom in, or click.</p>
      </>
    );
  const parts = sumSegments(segmentsOf(span, now));
  return (
    <>
      <p class="tl-tip-title cut">{span.label}</p>
      <p class="soft">{[WHAT[span.kind], spanOutcomeOf(span)].filter(Boolean).join(', ')}</p>
      <dl class="tl-tip-times">
        <dt>from</dt>
        <dd>{exactTime(span.start)}</dd>
        <dt>to</dt>
        <dd>{span.activity.end === undefined ? 'not over' : exactTime(end)}</dd>
        <dt>took</dt>
        <dd>{exactTime(end - span.start)}</dd>
      </dl>
      {parts.length > 1 && (
        <ul class="tl-tip-parts">
          {parts.map(({ label, share, ms }) => (
            <li key={label}>
              <span class={`share-key tone-${toneOf(share)}`} aria-hidden="true" />
              <span class="cut">{label}</span>
              <span class="number">{formatDuration(ms)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A bar in one sentence, for screen readers. */
function describe({ span, count }: Pointed, state: TimelineState): string {
  const { now } = state.window.value;
  if (count > 1) return `${count} bars, too close to be told apart`;
  const parts = sumSegments(segmentsOf(span, now));
  const details =
    parts.length > 1 ? parts.map(({ label, ms }) => `${label} ${formatDuration(ms)}`).join(', ') : '';
  const took = formatDuration(endOf(span, now) - span.start);
  return [`${spanNameOf(span)}, ${took}, from ${exactTime(span.start)}`, details].filter(Boolean).join(': ');
}

/** The segments summed up by name, in the order of their first occurrence. */
export function sumSegments(segments: readonly Segment[]): { label: string; share: ShareKey; ms: number }[] {
  const sums = new Map<string, { label: string; share: ShareKey; ms: number }>();
  for (const { label, share, start, end } of segments) {
    const sum = sums.get(label) ?? { label, share, ms: 0 };
    sum.ms += end - start;
    sums.set(label, sum);
  }
  return [...sums.values()];
}

/** The name of a span and its outcome. */
export function spanNameOf(span: TimeSpan): string {
  return [span.label, spanOutcomeOf(span)].filter(Boolean).join(', ');
}

/** A time in seconds, exact to the millisecond. */
export function exactTime(ms: number): string {
  const [whole = '0', fraction = ''] = (ms / 1000).toFixed(3).split('.');
  return `${formatExact(Number(whole))}.${fraction} s`;
}

function toneOf(share: ShareKey): string {
  return SHARE_KINDS.find(({ key }) => key === share)?.tone ?? 'overhead';
}

function placeTip(
  { span, row }: Pointed,
  state: TimelineState,
  box: HTMLDivElement | null,
): Record<string, string> {
  if (!box) return {};
  const window = state.window.value;
  const gutter = box.clientWidth - window.width;
  const x = gutter + Math.max(0, toX(window, span.start));
  const { top, height } = barBox(row, false);
  const below = top + height + 8 - box.scrollTop;
  // The tip is above the bar if it would otherwise reach far below the lanes.
  const isAbove = below + TIP_HEIGHT_PX > box.clientHeight + 140 && top - box.scrollTop > TIP_HEIGHT_PX;
  return {
    left: `${Math.max(0, Math.min(x, box.clientWidth - TIP_PX))}px`,
    ...(isAbove ? { bottom: `${box.clientHeight - (top - box.scrollTop) + 8}px` } : { top: `${below}px` }),
  };
}

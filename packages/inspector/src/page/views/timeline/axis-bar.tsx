// The axis of the timeline, and above it an overview of the whole session with the visible window.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatDuration } from '../../../model/format.js';
import { shareOfBar, segmentsOf } from '../../../model/time/span-segments.js';
import { spanOutcomeOf } from '../../../model/time/time-span.js';
import { findBands, findBars, toX } from '../../../model/time/visible-bars.js';
import { readPalette, watchTheme, type Palette } from './palette.js';
import type { TimelineState } from './timeline-state.js';

const MOST_LINES = 10;

export function AxisBar({ state }: { state: TimelineState }) {
  const window = state.window.value;
  const { ticks } = state.axis.value;
  return (
    <div class="tl-axis" aria-hidden="true">
      {ticks.map(({ t, label }) => {
        const x = toX(window, t);
        // The first and last labels are beside their lines, so that they do not cross the edges.
        const side = x < 24 ? 'tl-tick-first' : x > window.width - 24 ? 'tl-tick-last' : '';
        return (
          <span key={t} class={`tl-tick ${side}`} style={{ left: `${x}px` }}>
            {label}
          </span>
        );
      })}
      {window.time.folds.map((fold) => {
        const [from, to] = [toX(window, fold.start), toX(window, fold.end)];
        if (to < 0 || from > window.width) return null;
        return (
          <span key={fold.start} class="tl-fold" style={{ left: `${from}px`, width: `${to - from}px` }}>
            <span class="tl-fold-words">{formatDuration(fold.end - fold.start)} idle</span>
          </span>
        );
      })}
    </div>
  );
}

/** The shares of the moments in the window, as one bar. */
export function Ribbon({ state }: { state: TimelineState }) {
  return (
    <Strip
      state={state}
      draw={(context, { width, height }, palette) => {
        const window = { ...state.window.peek(), width };
        for (const { stretch, x, width: length } of findBands(withNow(state), window)) {
          context.fillStyle = palette.solid[stretch.share];
          context.fillRect(x, 0, Math.max(length, 0.5), height);
        }
      }}
    />
  );
}

type DrawStrip = (
  context: CanvasRenderingContext2D,
  size: { width: number; height: number },
  palette: Palette,
) => void;

/** A canvas as large as its element, drawn again when the window, the rows or the theme change. */
function Strip({ state, draw }: { state: TimelineState; draw: DrawStrip }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  const paint = (): void => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context) return;
    const ratio = globalThis.devicePixelRatio || 1;
    const size = { width: target.clientWidth, height: target.clientHeight };
    target.width = Math.round(size.width * ratio);
    target.height = Math.round(size.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    latest.current(context, size, readPalette(target));
  };
  useSignalEffect(() => {
    void [state.window.value, state.rows.value];
    const frame = requestAnimationFrame(paint);
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => watchTheme(paint), [state]);
  return <canvas ref={canvas} class="tl-strip" aria-hidden="true" />;
}

/** The overview of the whole session. The window can be dragged, and a click moves it. */
export function Overview({ state }: { state: TimelineState }) {
  const { from, to, time } = state.window.value;
  const box = useRef<HTMLDivElement>(null);
  const held = useRef<number | undefined>(undefined);
  const placeAt = (event: PointerEvent): number => {
    const { left, width } = (box.current as HTMLDivElement).getBoundingClientRect();
    return ((event.clientX - left) / width) * time.length;
  };
  const move = (event: PointerEvent): void => {
    if (held.current === undefined) return;
    const start = placeAt(event) - held.current;
    state.show(start, start + (to - from));
  };
  return (
    <div
      ref={box}
      class="tl-overview"
      aria-hidden="true"
      onPointerDown={(event) => {
        const place = placeAt(event);
        held.current = place >= from && place <= to ? place - from : (to - from) / 2;
        box.current?.setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={move}
      onPointerUp={() => {
        held.current = undefined;
      }}
      onPointerCancel={() => {
        held.current = undefined;
      }}
    >
      <Strip state={state} draw={(context, size, palette) => drawOverview(context, size, palette, state)} />
      <div
        class={state.isWhole.value ? 'tl-window tl-window-all' : 'tl-window'}
        style={{
          left: `${(from / time.length) * 100}%`,
          width: `${Math.max(((to - from) / time.length) * 100, 0.4)}%`,
        }}
      />
    </div>
  );
}

/** Draws rows as thin lines. Rows beyond `MOST_LINES` share the last line, and those beyond about 200 are left out. */
function drawOverview(
  context: CanvasRenderingContext2D,
  { width, height }: { width: number; height: number },
  palette: Palette,
  state: TimelineState,
): void {
  const shown = state.window.peek();
  const window = { ...shown, from: 0, to: shown.time.length, width };
  const rows = state.rows.peek().filter(({ spans }) => spans.length > 0);
  const line = Math.min(4, (height - 6) / Math.max(1, Math.min(rows.length, MOST_LINES)));
  for (const [index, row] of rows.entries()) {
    if (index > 200) break;
    const y = 3 + Math.min(index, MOST_LINES - 1) * line;
    for (const bar of findBars(row.spans, window)) {
      context.fillStyle =
        bar.count === 1 && spanOutcomeOf(bar.span) === 'failed'
          ? palette.error
          : palette.solid[shareOfBar(segmentsOf(bar.span, window.now))];
      context.fillRect(bar.x, y, Math.max(1, bar.width - 1), Math.max(1, line - 1));
    }
  }
}

/** The stretches, including the one up to now. */
function withNow({ ledger, now }: TimelineState): readonly TimelineStretch[] {
  const last = ledger.stretches.at(-1);
  if (now.peek() <= (last?.end ?? 0)) return ledger.stretches;
  return [...ledger.stretches, { share: ledger.current, start: last?.end ?? 0, end: now.peek() }];
}

type TimelineStretch = TimelineState['ledger']['stretches'][number];

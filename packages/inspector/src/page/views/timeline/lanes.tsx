// The lanes: a canvas as tall as their visible part, with its pointer handling. Most keys work in the whole view, and the
// table below shows the bars in words.
import { batch, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCountOf } from '../../../model/format.js';
import { heightOf } from '../../../model/time/timeline-rows.js';
import { drawLanes } from './draw-lanes.js';
import { readPalette, watchTheme, type Palette } from './palette.js';
import { SpanTip } from './span-tip.js';
import type { Pointed, TimelineState } from './timeline-state.js';
import { watchPointers } from './watch-pointers.js';

/** The width of the column for the names of rows, at the left of the lanes. */
const GUTTER_PX = 64;
/** Below this width, the names of rows have no column. */
const NARROW_PX = 560;

export function Lanes({ state, onOpen }: { state: TimelineState; onOpen: (pointed: Pointed) => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef({ frame: 0, palette: undefined as Palette | undefined });
  const open = useRef(onOpen);
  open.current = onOpen;

  const paint = (): void => {
    const [box, target] = [scroller.current, canvas.current];
    const context = target?.getContext('2d');
    if (!box || !target || !context) return;
    const gutter = state.isNarrow.peek() ? 0 : GUTTER_PX;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [box.clientWidth, box.clientHeight];
    if (target.width !== Math.round(width * ratio) || target.height !== Math.round(height * ratio)) {
      target.width = Math.round(width * ratio);
      target.height = Math.round(height * ratio);
      target.style.width = `${width}px`;
      target.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawLanes(context, {
      rows: state.rows.peek(),
      window: state.window.peek(),
      axis: state.axis.peek(),
      palette: (drawing.current.palette ??= readPalette(box)),
      isNarrow: state.isNarrow.peek(),
      gutter,
      scrollTop: box.scrollTop,
      height,
      turns: state.ledger.turns,
      pointed: state.pointed.peek()?.span,
    });
  };
  const draw = (): void => {
    drawing.current.frame ||= requestAnimationFrame(() => {
      drawing.current.frame = 0;
      paint();
    });
  };

  useSignalEffect(() => {
    void [state.rows.value, state.window.value, state.pointed.value];
    draw();
  });
  useEffect(() => {
    const box = scroller.current as HTMLDivElement;
    const measure = (): void => {
      const isNarrow = box.clientWidth < NARROW_PX;
      batch(() => {
        state.isNarrow.value = isNarrow;
        state.width.value = box.clientWidth - (isNarrow ? 0 : GUTTER_PX);
      });
      draw();
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    measure();
    const endTheme = watchTheme(() => {
      drawing.current.palette = undefined;
      draw();
    });
    const endPointers = watchPointers(box, state, (pointed) => open.current(pointed));
    box.addEventListener('scroll', draw, { passive: true });
    return () => {
      sizes.disconnect();
      endTheme();
      endPointers();
      box.removeEventListener('scroll', draw);
      cancelAnimationFrame(drawing.current.frame);
    };
  }, [state]);
  useSignalEffect(() => {
    const pointed = state.pointed.value;
    const box = scroller.current;
    if (!box || pointed?.by !== 'keys') return;
    const { top, height } = pointed.row;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
  });

  const rows = state.rows.value;
  const count = rows.reduce((sum, { spans }) => sum + spans.length, 0);
  return (
    <div class="tl-lanes">
      <div
        ref={scroller}
        class="tl-scroller"
        tabIndex={0}
        role="application"
        aria-roledescription="timeline"
        aria-label={`${formatCountOf(count, 'bar')}. J and K go from bar to bar, Enter opens one in the story, plus and minus zoom, left and right move.`}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
          if (step === undefined) return;
          event.preventDefault();
          state.step(step);
        }}
      >
        <div class="tl-spacer" style={{ height: `${heightOf(rows)}px` }}>
          <canvas ref={canvas} class="tl-canvas" aria-hidden="true" />
        </div>
      </div>
      <SpanTip state={state} scroller={scroller} onOpen={onOpen} />
    </div>
  );
}

// Handles pointers on the lanes. Hovering shows a bar. A click opens it, or zooms in if it stands for several spans. Dragging
// moves the window, and so does the wheel with Shift or sideways. Two fingers zoom, and so does the wheel with Ctrl. The
// browser scrolls the rows.
import { findRows, type TimeRow } from '../../../model/time/timeline-rows.js';
import { findLaneBars, type LaneBar } from '../../../model/time/turn-bars.js';
import type { Pointed, TimelineState } from './timeline-state.js';

const DRAG_PX = 4;
const WHEEL_ZOOM = 0.0022;

/** Listens on an element until the returned function is called. */
export function watchPointers(
  box: HTMLElement,
  state: TimelineState,
  open: (pointed: Pointed) => void,
): () => void {
  const down = new Map<number, { x: number; y: number }>();
  let moved = 0;

  const gutterOf = (): number => box.clientWidth - state.width.peek();
  const find = (event: PointerEvent): Pointed | undefined => {
    const { left, top } = box.getBoundingClientRect();
    const found = findBarAt(state, {
      x: event.clientX - left - gutterOf(),
      y: event.clientY - top + box.scrollTop,
    });
    if (!found) return undefined;
    const { span, count, turn } = found.bar;
    return { span, row: found.row, count, turn, by: 'pointer' };
  };
  const point = (pointed: Pointed | undefined): void => {
    if (state.pointed.peek()?.span !== pointed?.span || pointed?.by === 'keys') state.pointed.value = pointed;
    box.style.cursor = pointed ? 'pointer' : '';
  };

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (down.size === 0) moved = 0;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    box.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent): void => {
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') point(find(event));
      return;
    }
    const others = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const dx = event.clientX - before.x;
    moved += Math.abs(dx) + (others.length > 0 ? DRAG_PX : 0);
    const other = others[0];
    if (other) {
      const [was, is] = [Math.abs(before.x - other.x), Math.abs(event.clientX - other.x)];
      const middle = (event.clientX + other.x) / 2 - box.getBoundingClientRect().left - gutterOf();
      if (was > 8 && is > 8) state.zoom(was / is, middle / state.width.peek());
    } else if (moved > DRAG_PX) {
      point(undefined);
      state.pan(-dx / state.width.peek());
    }
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onUp = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId) || moved > DRAG_PX || event.type === 'pointercancel') return;
    const found = find(event);
    // A finger cannot hover, so a tap only shows the bar. On a narrow page, the tip has a button that opens it.
    if (event.pointerType !== 'mouse' || (found && found.count > 1)) point(found);
    if (found && found.count > 1) state.zoom(0.25, (toWindow(event) - gutterOf()) / state.width.peek());
    else if (found && event.pointerType === 'mouse') open(found);
  };
  const toWindow = (event: MouseEvent): number => event.clientX - box.getBoundingClientRect().left;
  const onLeave = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && down.size === 0 && state.pointed.peek()?.by === 'pointer')
      point(undefined);
  };
  const onWheel = (event: WheelEvent): void => {
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!event.ctrlKey && !event.metaKey && !isPan) return;
    event.preventDefault();
    const at = (toWindow(event) - gutterOf()) / state.width.peek();
    // Some wheels report lines instead of pixels.
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.ctrlKey || event.metaKey)
      state.zoom(Math.exp(event.deltaY * unit * WHEEL_ZOOM), Math.min(1, Math.max(0, at)));
    else state.pan(((event.deltaX || event.deltaY) * unit) / state.width.peek());
  };

  const end = new AbortController();
  const { signal } = end;
  box.addEventListener('pointerdown', onDown, { signal });
  box.addEventListener('pointermove', onMove, { signal });
  box.addEventListener('pointerup', onUp, { signal });
  box.addEventListener('pointercancel', onUp, { signal });
  box.addEventListener('pointerleave', onLeave, { signal });
  box.addEventListener('wheel', onWheel, { signal, passive: false });
  return () => end.abort();
}

/** A point that is closer to a bar than this counts as on it, in CSS pixels. */
const REACH_PX = 4;

/** The bar at a point, which is given from the top of all rows and the left of the lanes. */
function findBarAt(
  { rows, window, ledger }: TimelineState,
  { x, y }: { x: number; y: number },
): { bar: LaneBar; row: TimeRow } | undefined {
  const row = findRows(rows.peek(), y, y + 1)[0];
  if (!row) return undefined;
  let nearest: LaneBar | undefined;
  let least = REACH_PX;
  for (const bar of findLaneBars(row.spans, window.peek(), ledger.turns)) {
    const away = Math.max(bar.x - x, x - (bar.x + bar.width), 0);
    if (away < least) [nearest, least] = [bar, away];
  }
  return nearest && { bar: nearest, row };
}

// Draws the visible rows and bars of the lanes on a canvas. The tip and the table say in words what the colours mean.
import { formatDuration } from '../../../model/format.js';
import type { Axis } from '../../../model/time/axis.js';
import { shareOfBar, segmentsOf } from '../../../model/time/span-segments.js';
import { findRows, type TimeRow } from '../../../model/time/timeline-rows.js';
import { endOf, spanOutcomeOf, type TimeSpan } from '../../../model/time/time-span.js';
import { findErrorMarks, findLaneBars, findTurnLines, type LaneBar } from '../../../model/time/turn-bars.js';
import { toX, type TimeWindow } from '../../../model/time/visible-bars.js';
import type { Palette } from './palette.js';

/** Everything a picture of the lanes depends on. */
export interface LanesPicture {
  rows: readonly TimeRow[];
  window: TimeWindow;
  palette: Palette;
  isNarrow: boolean;
  /** The width of the column for the names of rows, at the left of the lanes, in CSS pixels. */
  gutter: number;
  scrollTop: number;
  height: number;
  axis: Axis;
  turns: readonly { t: number }[];
  pointed: TimeSpan | undefined;
}

/** Where the bars of a row are, in CSS pixels from the top of all rows. */
export function barBox(row: TimeRow, isNarrow: boolean): { top: number; height: number } {
  return isNarrow ? { top: row.top + 22, height: 20 } : { top: row.top + 4, height: 22 };
}

const STRIP = 4;
const PAD = 6;
/** Bars from this width on show their segments. */
const DETAIL_PX = 7;
const widths = new Map<string, number>();

/** Draws one picture, in CSS pixels. The caller has scaled the canvas to the pixels of the device. */
export function drawLanes(context: CanvasRenderingContext2D, picture: LanesPicture): void {
  const { window, gutter, palette, scrollTop, height } = picture;
  const width = gutter + window.width;
  context.clearRect(0, 0, width, height);
  context.font = `12px ${palette.font}`;
  context.textBaseline = 'middle';
  const rows = findRows(picture.rows, scrollTop, scrollTop + height);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, window.width, height);
  context.clip();
  context.translate(gutter, -scrollTop);
  drawBack(context, picture);
  for (const row of rows) drawRow(context, row, picture);
  context.restore();
  context.save();
  context.translate(0, -scrollTop);
  for (const row of rows) drawRowLabel(context, row, picture);
  context.restore();
}

function drawBack(context: CanvasRenderingContext2D, picture: LanesPicture): void {
  const { window, palette, axis, turns, scrollTop, height } = picture;
  const line = (t: number): void => {
    const x = Math.round(toX(window, t)) + 0.5;
    context.moveTo(x, scrollTop);
    context.lineTo(x, scrollTop + height);
  };
  for (const { start, end } of window.time.folds) {
    const [from, to] = [toX(window, start), toX(window, end)];
    context.fillStyle = palette.sunken;
    context.fillRect(from, scrollTop, to - from, height);
  }
  context.lineWidth = 1;
  context.strokeStyle = palette.edge;
  context.beginPath();
  for (const { t } of axis.ticks) line(t);
  context.stroke();
  context.strokeStyle = palette.edgeStrong;
  context.setLineDash([2, 3]);
  context.beginPath();
  for (const { t } of findTurnLines(turns, window)) line(t);
  context.stroke();
  context.setLineDash([]);
}

function drawRowLabel(context: CanvasRenderingContext2D, row: TimeRow, picture: LanesPicture): void {
  const { palette, gutter, window, isNarrow } = picture;
  if (row.kind === 'head') {
    const middle = row.top + row.height / 2 + 3;
    context.fillStyle = palette.ink;
    context.font = `600 12px ${palette.font}`;
    context.fillText(fitText(context, row.label, gutter + window.width - 8), 0, middle);
    context.font = `12px ${palette.font}`;
    if (row.top === 0) return;
    context.fillStyle = palette.edge;
    context.fillRect(0, row.top + 4, gutter + window.width, 1);
    return;
  }
  if (isNarrow || row.label === '') return;
  context.fillStyle = palette.soft;
  const { top, height } = barBox(row, isNarrow);
  context.fillText(row.label, 0, top + height / 2);
}

function drawRow(context: CanvasRenderingContext2D, row: TimeRow, picture: LanesPicture): void {
  const { window, isNarrow, pointed, palette } = picture;
  const box = barBox(row, isNarrow);
  const bars = findLaneBars(row.spans, window, picture.turns);
  for (const [index, bar] of bars.entries()) {
    drawBar(context, bar, box, picture);
    if (bar.span === pointed) {
      context.strokeStyle = palette.focus;
      context.lineWidth = 2;
      context.beginPath();
      context.roundRect(bar.x - 2, box.top - 2, bar.width + 4, box.height + 4, 6);
      context.stroke();
    }
    const next = bars[index + 1];
    const room = (next ? next.x : window.width) - bar.x;
    drawLabel(context, { bar, row, room, box }, picture);
  }
  context.fillStyle = palette.error;
  for (const x of findErrorMarks(row.spans, window)) drawErrorMark(context, x, box.top);
}

/** A triangle that points down at what failed: also seen where many bars have become one. */
function drawErrorMark(context: CanvasRenderingContext2D, x: number, bottom: number): void {
  context.beginPath();
  context.moveTo(x - 1, bottom - 5);
  context.lineTo(x + 7, bottom - 5);
  context.lineTo(x + 3, bottom);
  context.fill();
}

function drawBar(
  context: CanvasRenderingContext2D,
  { span, x, width, count, turn }: LaneBar,
  { top, height }: { top: number; height: number },
  { window, palette }: LanesPicture,
): void {
  // Of what a joined bar stands for, the marks above it say what failed.
  const isError = count === 1 && spanOutcomeOf(span) === 'failed';
  const segments = segmentsOf(span, window.now);
  if (turn !== undefined && width >= DETAIL_PX) {
    const share = shareOfBar(segments);
    context.fillStyle = palette.wash[share];
    context.fillRect(x, top, width, height);
    context.fillStyle = palette.solid[share];
    context.fillRect(x, top + height - STRIP, width, STRIP);
    return;
  }
  if (width < DETAIL_PX || count > 1) {
    context.fillStyle = isError ? palette.error : palette.solid[shareOfBar(segments)];
    context.fillRect(x, top, width, height);
    return;
  }
  context.save();
  context.beginPath();
  context.roundRect(x, top, width, height, 4);
  context.clip();
  context.fillStyle = palette.surface;
  context.fill();
  for (const segment of segments) {
    const from = Math.max(toX(window, segment.start), -1);
    const to = Math.min(toX(window, segment.end), window.width + 1);
    context.fillStyle = palette.wash[segment.share];
    context.fillRect(from, top, to - from, height);
    if (segment.share === 'permission') hatch(context, { from, to, top, height }, palette.solid.permission);
    // The time before the model begins to write has a thinner strip.
    const isWaiting = segment.label === 'waiting for the model';
    context.fillStyle = palette.solid[segment.share];
    context.fillRect(from, top + height - (isWaiting ? 2 : STRIP), to - from, STRIP);
  }
  context.restore();
  context.strokeStyle = isError ? palette.error : palette.solid[shareOfBar(segments)];
  context.globalAlpha = isError ? 1 : 0.55;
  context.lineWidth = isError ? 1.5 : 1;
  context.beginPath();
  context.roundRect(x + 0.5, top + 0.5, width - 1, height - 1, 4);
  context.stroke();
  context.globalAlpha = 1;
}

function hatch(
  context: CanvasRenderingContext2D,
  { from, to, top, height }: { from: number; to: number; top: number; height: number },
  colour: string,
): void {
  context.save();
  context.beginPath();
  context.rect(from, top, to - from, height);
  context.clip();
  context.strokeStyle = colour;
  context.globalAlpha = 0.28;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = from - height; x < to; x += 7) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}

function drawLabel(
  context: CanvasRenderingContext2D,
  { bar, row, room, box }: { bar: LaneBar; row: TimeRow; room: number; box: { top: number; height: number } },
  { window, palette, isNarrow }: LanesPicture,
): void {
  const { span, count, turn } = bar;
  const length = formatDuration(endOf(span, window.now) - span.start);
  const name = count > 1 ? String(count) : wordOf(span, row.kind === 'model' && !isNarrow);
  const full =
    turn !== undefined
      ? `${count} in turn ${turn}`
      : count > 1
        ? `${count} bars`
        : [name, length].filter(Boolean).join('  ');
  // A bar that begins left of the window has its label at the left edge.
  const left = Math.max(bar.x, 0);
  const inside = bar.x + bar.width - left - 2 * PAD;
  const isError = count === 1 && spanOutcomeOf(span) === 'failed';
  context.fillStyle = isError ? palette.errorInk : palette.ink;
  if (isNarrow) {
    const most = room - (left - bar.x) - PAD;
    const whole = [full, name, length].find((text) => text !== '' && measure(context, text) <= most);
    context.fillText(whole ?? fitText(context, name, most), left, box.top - 9);
    return;
  }
  const middle = box.top + (box.height - STRIP) / 2 + 1;
  if (measure(context, full) <= inside) context.fillText(full, left + PAD, middle);
  else if (name !== '' && (count === 1 || turn !== undefined) && measure(context, name) <= inside)
    context.fillText(name, left + PAD, middle);
  else if (measure(context, full) <= room - bar.width - 2 * PAD && bar.x + bar.width >= 0) {
    if (!isError) context.fillStyle = palette.soft;
    context.fillText(full, bar.x + bar.width + PAD, box.top + box.height / 2);
  } else if (turn !== undefined && measure(context, name) <= room - bar.width - 2 * PAD) {
    context.fillStyle = palette.soft;
    context.fillText(name, bar.x + bar.width + PAD, box.top + box.height / 2);
  }
}

function wordOf(span: TimeSpan, isModel: boolean): string {
  const outcome = spanOutcomeOf(span);
  const name = isModel && span.kind === 'model' ? '' : span.label;
  return outcome === undefined || outcome === 'not over' ? name : `${name} ${outcome}`;
}

function measure(context: CanvasRenderingContext2D, text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (widths.size > 5000) widths.clear();
  const { width } = context.measureText(text);
  widths.set(text, width);
  return width;
}

function fitText(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (measure(context, text) <= room) return text;
  const most = Math.floor((text.length * room) / Math.max(1, measure(context, text))) - 1;
  // A label of fewer than four letters would not be readable.
  return most < 4 ? '' : `${text.slice(0, most)}…`;
}

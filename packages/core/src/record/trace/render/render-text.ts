// Writes a timeline for the terminal: a table with a given width, then the shares of time and the slowest spans.
import { describeEnd, type TimelineRow } from '../timeline/timeline-row.js';
import type { TimelineSpan } from '../timeline/timeline-spans.js';
import type { TimeShares } from '../timeline/time-shares.js';
import type { Timeline } from '../timeline/timeline.js';
import { countOf, textOrJson } from '../../../util/message-of.js';
import { blankText } from '../../../util/terminal-text.js';
import { cutToColumns, formatMs } from './text-cells.js';

/** How the table is drawn. */
export interface RenderTextOptions {
  /**
   * The number of columns. Longer rows are cut, and the line of totals goes on in the next line. Default: 100 for rows,
   * and the line of totals is whole.
   */
  width?: number | undefined;
  /** Whether to use colours by escape sequences. Default false. */
  colour?: boolean | undefined;
  /** The most rows. Further rows are left out and counted. Default: all. */
  maxRows?: number | undefined;
  /** Whether to leave the spans out. Default false. */
  rowsOnly?: boolean | undefined;
}

const MIN_WIDTH = 40;
const ARROWS = { 'cli-to-host': 'CLI → host', 'host-to-cli': 'host → CLI', none: '' } as const;
const COLOURS = { message: 36, control: 33, mcp: 35, process: 90, error: 31, dim: 90, bold: 1 } as const;

/** The table as text, without a line feed at the end. Control characters in the recorded texts become spaces. */
export function renderTimelineText(timeline: Timeline, options: RenderTextOptions = {}): string {
  const { colour = false, maxRows = Infinity, rowsOnly = false } = options;
  const width = Math.max(MIN_WIDTH, options.width ?? 100);
  const paint = (text: string, name: keyof typeof COLOURS): string =>
    colour && text !== '' ? `\u001b[${COLOURS[name]}m${text}\u001b[0m` : text;
  const rows = timeline.rows.slice(0, maxRows);
  const eventWidth = Math.min(30, findLongest(rows));
  const lines = [paint(cutToColumns(describeRun(timeline), width), 'bold')];
  const head = `${'time'.padStart(9)}  ${'layer'.padEnd(7)}  ${'direction'.padEnd(10)}  ${'event'.padEnd(eventWidth)}  summary`;
  lines.push(paint(cutToColumns(head, width), 'dim'));
  for (const row of rows) {
    const start = `${formatMs(row.t).padStart(9)}  `;
    const layer = row.layer.padEnd(7);
    const rest = `  ${ARROWS[row.direction].padEnd(10)}  ${cutToColumns(blankText(row.event), eventWidth).padEnd(eventWidth)}  `;
    const room = width - start.length - layer.length;
    const text = cutToColumns(`${rest}${describeRow(row, room - rest.length)}`.trimEnd(), room);
    lines.push(`${start}${paint(layer, row.layer)}${row.isError ? paint(text, 'error') : text}`);
  }
  const left = timeline.rows.length - rows.length;
  if (left > 0) lines.push(paint(`… and ${left} more`, 'dim'));
  if (!rowsOnly)
    lines.push(
      '',
      ...renderSpans(timeline, { width, totalsWidth: options.width === undefined ? Infinity : width }, paint),
    );
  for (const problem of timeline.problems)
    lines.push(paint(cutToColumns(blankText(problem), width), 'error'));
  return lines.join('\n');
}

type Paint = (text: string, name: keyof typeof COLOURS) => string;

const MAX_SPANS = 40;

function renderSpans(
  { spans, totals }: Timeline,
  { width, totalsWidth }: { width: number; totalsWidth: number },
  paint: Paint,
): string[] {
  const shown = spans.filter(({ kind }) => kind !== 'request');
  // Only the slowest spans are shown, because a reader looks for those.
  const slowest = new Set(
    [...shown].sort((one, other) => lengthOf(other) - lengthOf(one)).slice(0, MAX_SPANS),
  );
  const kept = shown.filter((span) => slowest.has(span));
  const lines = joinParts(listShares(totals), totalsWidth).map((line) => paint(line, 'bold'));
  // The scale starts at the first span. The time before it, in which the CLI starts, would take room from the spans.
  const from = shown.reduce((first, { start }) => Math.min(first, start), Infinity);
  const barWidth = Math.max(10, Math.min(50, width - 60));
  for (const span of kept) {
    const label = cutToColumns(
      blankText(`${span.kind} ${span.name === span.kind ? '' : span.name}`.trim()),
      36,
    ).padEnd(36);
    const bar = drawBar(span, { from, to: totals.duration }, barWidth);
    const time = formatMs(lengthOf(span)).padStart(9);
    lines.push(
      `${paint(label, span.isError ? 'error' : 'dim')} ${bar} ${time}${span.isOpen ? ' (not ended)' : ''}`.trimEnd(),
    );
  }
  if (shown.length > kept.length) lines.push(paint(`… and ${shown.length - kept.length} faster ones`, 'dim'));
  return lines;
}

const SHARE_NAMES: readonly (readonly [keyof TimeShares, string])[] = [
  ['model', 'model'],
  ['permission', 'waiting for a person'],
  ['code', 'your code'],
  ['cliTools', 'CLI tools'],
  ['overhead', 'CLI overhead'],
  ['idle', 'idle'],
];

/** The total and the shares above zero. The shares add up to the total. */
function listShares({ duration, shares, errors }: Timeline['totals']): string[] {
  const parts = SHARE_NAMES.filter(([key]) => shares[key] > 0).map(
    ([key, name]) => `${name} ${formatMs(shares[key])}`,
  );
  return [`total ${formatMs(duration)}`, countOf(errors, 'error'), ...parts];
}

/** The parts in as few lines as the width allows. No part is cut, because these figures are what most readers look for. */
function joinParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    // Two columns are kept free for the dot at the end of a line that goes on.
    if (last !== undefined && `${last} · ${part}`.length + 2 <= width)
      lines[lines.length - 1] = `${last} · ${part}`;
    else {
      if (last !== undefined) lines[lines.length - 1] = `${last} ·`;
      lines.push(last === undefined ? part : `  ${part}`);
    }
  }
  return lines;
}

function drawBar({ start, end }: TimelineSpan, window: { from: number; to: number }, width: number): string {
  const scale = window.to > window.from ? width / (window.to - window.from) : 0;
  const before = clamp(Math.floor((start - window.from) * scale), 0, width - 1);
  const length = clamp(Math.round((end - start) * scale), 1, width - before);
  return `${'·'.repeat(before)}${'█'.repeat(length)}${'·'.repeat(width - before - length)}`;
}

function describeRun({ header, end }: Timeline): string {
  const version = textOrJson(header.claudeCodeVersion ?? '(unknown)');
  return blankText(`${textOrJson(header.startedAt)} · Claude CLI ${version} · ${describeEnd(end)}`);
}

/** The summary of a row and its id in short. The summary gives way to the id, because the id leads to the other rows. */
function describeRow({ summary, id }: TimelineRow, room: number): string {
  const short = id === undefined ? '' : `#${id.length > 14 ? `…${id.slice(-8)}` : id}`;
  const words = blankText(summary);
  if (short === '') return cutToColumns(words, Math.max(0, room));
  const left = room - short.length - 2;
  return left < 8
    ? cutToColumns(words || short, Math.max(0, room))
    : `${cutToColumns(words, left)}  ${blankText(short)}`.trimStart();
}

// A timeline made by hand may hold any value as a time.
function clamp(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.max(least, Math.min(most, value)) : least;
}

// This does not spread the rows into `Math.max`. A call takes only some ten thousand arguments, and a trace may have more
// rows.
function findLongest(rows: readonly TimelineRow[]): number {
  return rows.reduce((longest, { event }) => Math.max(longest, event.length), 5);
}

function lengthOf({ start, end }: TimelineSpan): number {
  return end - start;
}

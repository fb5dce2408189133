// A timeline as Mermaid text, for places that draw it: GitHub, documentation, chat.
import { isForCallbacks, type TimelineRow } from '../timeline/timeline-row.js';
import type { Timeline } from '../timeline/timeline.js';
import { formatMs } from './text-cells.js';

/** How the diagram is drawn. */
export interface RenderMermaidOptions {
  /** Rows beyond it are left out, and counted in a note; most renderers give up at some hundreds. Default 200. */
  maxRows?: number | undefined;
}

const LABEL_CHARACTERS = 70;

/** A Mermaid sequence diagram between the program, its tools and the CLI. */
export function renderTimelineMermaid(
  timeline: Timeline,
  { maxRows = 200 }: RenderMermaidOptions = {},
): string {
  const lines = [
    'sequenceDiagram',
    '  participant T as Tools and callbacks',
    '  participant H as Host',
    '  participant C as Claude CLI',
  ];
  const rows = timeline.rows.slice(0, maxRows);
  for (const row of rows) lines.push(`  ${drawRow(row, timeline.rows)}`);
  const left = timeline.rows.length - rows.length;
  if (left > 0) lines.push(`  Note over H,C: … and ${left} more`);
  return `${lines.join('\n')}\n`;
}

function drawRow(row: TimelineRow, rows: readonly TimelineRow[]): string {
  const label = escapeLabel(`${formatMs(row.t)} ${row.event} ${row.summary}`);
  if (row.direction === 'none') return `Note over H,C: ${label}`;
  const isAnswer = row.answers !== undefined;
  // Questions to callbacks and tools, and their answers, have a lane of their own.
  const own = isForCallbacks(row) || (isAnswer && isForCallbacks(rows[row.answers ?? 0])) ? 'T' : 'H';
  const arrow = row.isError ? '--x' : isAnswer ? '-->>' : '->>';
  return row.direction === 'cli-to-host' ? `C${arrow}${own}: ${label}` : `${own}${arrow}C: ${label}`;
}

/** Everything that Mermaid or a browser could take for syntax becomes an entity. */
function escapeLabel(text: string): string {
  const short = text.length > LABEL_CHARACTERS ? `${text.slice(0, LABEL_CHARACTERS - 1)}…` : text;
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const line = short.replace(/[\u0000-\u001f\u007f]/g, ' ');
  return line.replace(/[#;<>"'`&{}[\]|%:]/g, (found) => `#${found.charCodeAt(0)};`);
}

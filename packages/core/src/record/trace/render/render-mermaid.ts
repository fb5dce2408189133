// Writes a timeline as Mermaid text. GitHub, documentation tools and chat programs draw it as a diagram.
import { isForCallbacks, type TimelineRow } from '../timeline/timeline-row.js';
import type { Timeline } from '../timeline/timeline.js';
import { blankText } from '../../../util/terminal-text.js';
import { formatMs } from './text-cells.js';

/** How the diagram is drawn. */
export interface RenderMermaidOptions {
  /**
   * The most rows. Further rows are left out and counted in a note, because most renderers give up at some hundreds of
   * rows. Default 200.
   */
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

/**
 * Writes characters that Mermaid or a browser could take for syntax as entities. The word "end" would end a block, so
 * its first letter is also written as an entity. Long text is shortened.
 */
function escapeLabel(text: string): string {
  const line = blankText(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  const characters = Array.from(line.slice(0, LABEL_CHARACTERS * 2));
  const short =
    characters.length > LABEL_CHARACTERS
      ? `${characters.slice(0, LABEL_CHARACTERS - 1).join('')}…`
      : characters.join('');
  return short
    .replace(/[^\p{L}\p{M}\p{N}\p{So} ._,/()=?!…·-]/gu, (found) => `#${found.codePointAt(0)};`)
    .replace(/\b([Ee])([Nn][Dd])\b/g, (_, first: string, rest: string) => `#${first.codePointAt(0)};${rest}`);
}

// The ways to show a trace. Each has one row, whose name is used on the command line.
import { basename } from 'node:path';
import {
  renderTimelineHtml,
  renderTimelineMermaid,
  renderTimelineText,
  type Timeline,
} from '@inboard/inboard/trace.js';
import { cleanJson } from '@inboard/core/util/terminal-text.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { isColoured, noteLine } from '../terminal/terminal.js';
import { UsageError } from '../terminal/usage-error.js';

/** One way to show a trace. `given` is the path of the trace as the user wrote it. */
export interface TraceRenderer {
  render(timeline: Timeline, input: CommandInput, given: string): string;
  /** Where the text goes without --output: a file, or "-" for the standard output. */
  defaultOutput(traceFile: string): string;
  /** Whether --output is ignored, because the text is made for this terminal. */
  isForTerminal?: boolean;
}

const toStdout = (): string => '-';

/** All renderers by name. */
export const RENDERERS: Readonly<Record<string, TraceRenderer>> = {
  view: { render: viewTimeline, defaultOutput: toStdout, isForTerminal: true },
  html: {
    render: (timeline, { terminal }, given) =>
      renderTimelineHtml(timeline, { file: given, onLeftOut: (sentence) => noteLine(terminal, sentence) }),
    defaultOutput: (file) => `${basename(file).replace(/\.[^.]+$/, '')}.html`,
  },
  mermaid: {
    render: (timeline, input) =>
      renderTimelineMermaid(timeline, withoutUndefined({ maxRows: readRows(input) })),
    defaultOutput: toStdout,
  },
};

function viewTimeline(timeline: Timeline, input: CommandInput): string {
  const { terminal } = input;
  const maxRows = readRows(input);
  if (readSwitch(input, 'json')) {
    return cleanJson(JSON.stringify({ ...timeline, rows: timeline.rows.slice(0, maxRows) }));
  }
  const { columns } = terminal.stdout as { columns?: number };
  return renderTimelineText(timeline, { colour: isColoured(terminal), width: columns, maxRows });
}

function readRows(input: CommandInput): number | undefined {
  const text = readText(input, 'rows');
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--rows must be a number of at least 1, not "${text}".`);
}

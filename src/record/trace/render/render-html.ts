// A timeline as one HTML file that needs nothing else: no network, no other file. Recorded texts stand in it
// as data only, and a policy allows exactly the page's own script and style.
import { stringifyDeep } from '../../../util/deep-json.js';
import { cleanJson } from '../../../util/terminal-text.js';
import { fillPage } from '../page/page-frame.js';
import { describeEnd, isForCallbacks, type TimelineRow } from '../timeline/timeline-row.js';
import type { Timeline } from '../timeline/timeline.js';

/** How much goes into the page. */
export interface RenderHtmlOptions {
  /** Characters of a frame's JSON; the rest stays in the trace. Default 20000. */
  maxFrameCharacters?: number | undefined;
}

/** Characters of all frames together; a string holds about eight times as many. */
const PAGE_CHARACTERS = 64_000_000;
const LEAST_FRAME_CHARACTERS = 200;

const DIRECTIONS = { 'cli-to-host': 'in', 'host-to-cli': 'out', none: 'none' } as const;

/** A page with a sequence diagram, a waterfall, filters, search and every frame. Opens from a file, works offline. */
export function renderTimelineHtml(
  timeline: Timeline,
  { maxFrameCharacters = 20_000 }: RenderHtmlOptions = {},
): string {
  const { header, end } = timeline;
  let room = PAGE_CHARACTERS;
  const data = {
    meta: {
      startedAt: header.startedAt,
      claudeCodeVersion: header.claudeCodeVersion,
      cwd: header.cwd,
      ending: describeEnd(end),
    },
    totals: timeline.totals,
    problems: timeline.problems,
    rows: timeline.rows.map((row) => {
      // One string holds the page, and a browser has to read it: what comes late in a huge trace is cut shorter.
      const data = rowData(row, Math.min(maxFrameCharacters, Math.max(LEAST_FRAME_CHARACTERS, room)));
      room -= data.frame?.length ?? 0;
      return data;
    }),
    spans: timeline.spans.map(({ kind, name, start, end: until, from, toolUseId, isError, isOpen }) => ({
      kind,
      name,
      start,
      end: until,
      from,
      id: toolUseId ?? null,
      error: isError,
      open: isOpen,
    })),
  };
  return fillPage(embedJson(data));
}

function rowData(row: TimelineRow, maxCharacters: number) {
  const json = row.frame === undefined ? null : (stringifyDeep(row.frame) as string);
  const cut = json === null ? 0 : Math.max(0, json.length - maxCharacters);
  return {
    t: row.t,
    layer: row.layer,
    dir: DIRECTIONS[row.direction],
    event: row.event,
    summary: row.summary,
    id: row.id ?? null,
    error: row.isError,
    answers: row.answers ?? null,
    callback: isForCallbacks(row),
    frame: json === null ? null : json.slice(0, maxCharacters),
    cut,
  };
}

/** JSON that can stand inside a script element: nothing in it ends the element or begins another, or acts on a terminal. */
function embedJson(data: unknown): string {
  return cleanJson(JSON.stringify(data))
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026');
}

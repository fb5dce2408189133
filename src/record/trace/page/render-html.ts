// A timeline as one HTML file that needs nothing else: no network, no other file. Recorded texts stand in it
// as data only, and a policy allows exactly the page's own script and style.
import { createHash } from 'node:crypto';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';
import { isForCallbacks } from '../timeline/render-mermaid.js';
import type { Timeline, TimelineRow } from '../timeline/timeline.js';

/** How much goes into the page. */
export interface RenderHtmlOptions {
  /** Characters of a frame's JSON; the rest stays in the trace. Default 20000. */
  maxFrameCharacters?: number;
}

const DIRECTIONS = { 'cli-to-host': 'in', 'host-to-cli': 'out', none: 'none' } as const;

/** A page with a sequence diagram, a waterfall, filters, search and every frame. Opens from a file, works offline. */
export function renderTimelineHtml(
  timeline: Timeline,
  { maxFrameCharacters = 20_000 }: RenderHtmlOptions = {},
): string {
  const { header, end } = timeline;
  const data = {
    meta: {
      startedAt: header.startedAt,
      claudeCodeVersion: header.claudeCodeVersion,
      cwd: header.cwd,
      ending: end
        ? end.signal === null
          ? `exit code ${end.exitCode}`
          : `ended by ${end.signal}`
        : 'the recording was cut off',
    },
    totals: timeline.totals,
    problems: timeline.problems,
    rows: timeline.rows.map((row) => rowData(row, maxFrameCharacters)),
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

function rowData(row: TimelineRow, maxCharacters: number): object {
  const json = row.frame === undefined ? null : JSON.stringify(row.frame);
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

/** JSON that can stand inside a script element: nothing in it ends the element or begins another. */
function embedJson(data: unknown): string {
  return JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function fillPage(json: string): string {
  const policy = `default-src 'none'; script-src ${hashOf(PAGE_SCRIPT)}; style-src ${hashOf(PAGE_STYLE)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trace</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>Trace</h1><span class="facts" id="facts"></span><div class="totals" id="totals"></div></header>
<div id="problems"></div>
<div class="bar">
<input type="search" id="search" placeholder="Search events and frames" aria-label="Search events and frames">
<span id="layers" role="group" aria-label="Layers"></span>
<span class="count" id="count" role="status"></span>
</div>
<main>
<div class="left">
<section class="fall" id="fall" aria-label="Waterfall">
<div class="fallhead"><h2>Where the time went</h2><span id="kinds" role="group" aria-label="Kinds"></span>
<span class="hint" id="hint"></span><button type="button" id="whole" hidden>Whole run</button></div>
<svg id="overview" role="img" aria-label="The whole run; drag to zoom"><g id="strip"></g><g id="marks"></g></svg>
<div id="falls" tabindex="0" aria-label="Spans"><div class="space" id="fallspace"><svg id="bars"></svg></div></div>
</section>
<div class="lanes" id="lanes" aria-hidden="true"></div>
<div id="rows" tabindex="0" role="listbox" aria-label="Events">
<div class="space" id="space"><div id="list"></div><svg id="art" aria-hidden="true"></svg></div>
<div class="nothing" id="nothing" hidden>Nothing fits the filter.</div>
</div>
</div>
<aside id="detail" hidden aria-label="Frame">
<div class="head"><strong id="what"></strong><button type="button" id="close">Close</button></div>
<dl id="about"></dl>
<div class="links" id="links"></div>
<pre id="json" tabindex="0"></pre>
</aside>
</main>
<footer><kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>/</kbd> search · <kbd>e</kbd> next error · <kbd>Esc</kbd> close</footer>
<noscript><p>This page draws itself with its own script, which your browser does not run.</p></noscript>
<script type="application/json" id="data">${json}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

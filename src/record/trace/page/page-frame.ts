// The HTML around the data of a page: one file that needs no other, with a policy that allows exactly its own script and
// style, by their hashes.
import { createHash } from 'node:crypto';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The page with its data, which must be JSON that is safe inside a script element. */
export function fillPage(json: string): string {
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

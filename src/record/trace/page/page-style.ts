// The look of the HTML page. Colours follow the reader's system; nothing is loaded.

/** The style sheet of the page. */
export const PAGE_STYLE = String.raw`
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --ink: #1c2128; --faint: #66707c; --hover: #eef2f7;
  --chosen: #dbe9ff; --kin: #fff3cd; --error: #c62828; --message: #1769aa; --control: #a05a00; --mcp: #8e24aa;
  --process: #66707c; --model: #3b82f6; --tool: #2e9e5b; --handler: #8ccfa6; --permission: #e09b1a; --hook: #a36be0;
  --request: #9aa4b0; --focus: #3b82f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --panel: #1c2027; --line: #303640; --ink: #e4e8ed; --faint: #98a2ae; --hover: #232933;
    --chosen: #1f3a63; --kin: #403716; --error: #ff7b72; --message: #6cb6ff; --control: #e3a756; --mcp: #d292ea;
    --process: #98a2ae; --model: #4c8df6; --tool: #3fb76f; --handler: #2b6b47; --permission: #e3a73b; --hook: #b083f0;
    --request: #6c7683;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; overflow: hidden; }
body {
  display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
code, pre, .time, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 18px; padding: 10px 16px 6px; }
h1 { font-size: 16px; margin: 0; }
h2 { font-size: 11px; margin: 0; text-transform: uppercase; letter-spacing: .06em; color: var(--faint); font-weight: 600; }
.facts { color: var(--faint); }
.totals { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-left: auto; }
.totals b { font-variant-numeric: tabular-nums; }
.totals span { color: var(--faint); }
.totals .bad, .bad { color: var(--error); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px; padding: 6px 16px; border-bottom: 1px solid var(--line); }
input[type=search] {
  flex: 0 1 320px; min-width: 140px; padding: 4px 8px; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 6px;
}
button {
  font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: 3px 9px; cursor: pointer;
}
button:hover { background: var(--hover); }
button[aria-pressed=false] { opacity: .5; background: none; }
button[aria-pressed=false] .dot { opacity: .35; }
#layers, #kinds { display: inline-flex; flex-wrap: wrap; gap: 5px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
#rows:focus-visible, #falls:focus-visible { outline: none; box-shadow: inset 3px 0 0 var(--focus); }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 3px; margin-right: 5px; vertical-align: baseline; }
.count { color: var(--faint); margin-left: auto; font-variant-numeric: tabular-nums; }
main { flex: 1; min-height: 0; display: flex; }
.left { flex: 1; min-width: 0; min-height: 0; display: flex; flex-direction: column; }
.fall { display: flex; flex-direction: column; border-bottom: 1px solid var(--line); background: var(--panel); max-height: 38%; }
.fallhead { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 6px 16px 4px; }
.fallhead button { font-size: 12px; padding: 1px 7px; }
.fallhead .hint { margin-left: auto; color: var(--faint); font-size: 12px; }
#overview { display: block; width: 100%; height: 50px; cursor: crosshair; touch-action: none; flex: none; }
#falls { position: relative; overflow-y: auto; overflow-x: hidden; min-height: 0; }
#falls .space, #rows .space { position: relative; }
#falls svg { position: absolute; left: 0; display: block; }
#falls rect.hit { fill: transparent; cursor: pointer; }
#falls g:hover rect.hit { fill: var(--hover); }
.lanes { position: relative; height: 26px; border-bottom: 1px solid var(--line); flex: none; background: var(--paper); }
.lanes span { position: absolute; top: 5px; font-size: 11px; font-weight: 600; color: var(--faint); white-space: nowrap; }
.lanes .lane { transform: translateX(-50%); color: var(--ink); }
#rows { flex: 1; min-height: 60px; overflow-y: scroll; position: relative; }
#rows svg { position: absolute; left: 0; top: 0; pointer-events: none; }
.row {
  position: absolute; left: 0; right: 0; height: 24px; display: flex; align-items: center; cursor: pointer;
  padding-right: 10px; white-space: nowrap; overflow: hidden;
}
.row:hover { background: var(--hover); }
.row.kin { background: var(--kin); }
.row.chosen { background: var(--chosen); }
.row .time { flex: none; width: 84px; text-align: right; padding-right: 10px; color: var(--faint); font-size: 12px; }
.row .gap { flex: none; }
.row .event { flex: none; font-weight: 600; margin-right: 8px; }
.row .summary { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--faint); }
.row.message .event { color: var(--message); } .row.control .event { color: var(--control); }
.row.mcp .event { color: var(--mcp); } .row.process .event { color: var(--process); }
.row.error .summary, .row.error .event { color: var(--error); }
.nothing { padding: 30px; text-align: center; color: var(--faint); }
aside { flex: none; width: 36%; min-width: 300px; max-width: 720px; display: flex; flex-direction: column; border-left: 1px solid var(--line); }
aside[hidden] { display: none; }
aside .head { display: flex; gap: 8px; align-items: center; padding: 8px 12px; border-bottom: 1px solid var(--line); }
aside .head strong { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 8px 12px; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.links { display: flex; flex-wrap: wrap; gap: 4px; margin: 0 12px 8px; }
.links button { font-size: 12px; }
pre { flex: 1; margin: 0; padding: 10px 12px; overflow: auto; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); }
footer { padding: 4px 16px; color: var(--faint); font-size: 12px; border-top: 1px solid var(--line); }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; background: var(--panel); font: inherit; font-size: 11px; }
@media (max-width: 900px) {
  main { flex-direction: column; }
  .fall { max-height: 30%; }
  aside { width: auto; max-width: none; height: 45%; border-left: 0; border-top: 1px solid var(--line); }
  .hint, footer { display: none; }
}
`;

// The chart: for each row a bar for the official SDK and one for Inboard, as costs, the official one always as long, so that all
// rows point the same way; a line
// marks the limit. Drawn by hand, with colours that change with the reader's scheme.
import { formatNumber, formatTimes } from './format.mjs';

// Wide enough for the longest label; the rest is bars, which leave room for a row on which Inboard is behind.
const WIDTH = 900;
const LABEL_WIDTH = 320;
const OFFICIAL_WIDTH = 300;
const LONGEST_BAR = 1.2;
const ROW_HEIGHT = 42;
const TOP = 58;
const BOTTOM = 46;

const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 11px; fill: #59636e; }
  .strong { font-weight: 600; }
  .official { fill: #b6bec8; }
  .inboard { fill: #0f766e; }
  .limit { stroke: #d1242f; stroke-width: 2; }
  .paper { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .official { fill: #57606a; }
    .inboard { fill: #2dd4bf; }
    .limit { stroke: #ff7b72; }
    .paper { fill: #0d1117; }
  }
`;

// What a person feels or pays for; the table has all rows.
const CHART_ROWS = [
  'felt-package',
  'first-byte-package',
  'query-first-package',
  'calls-steady',
  'window-steady',
  'permissions-steady',
  'stream-time',
  'slow-reader-800',
  'sessions-memory',
  'tools-create',
  'listing-first',
  'listing-second',
  'cold-resume-query',
  'real-turn-cpu',
];

/** The chart as SVG, with `facts` as lines at its foot; of rows without both SDKs there is nothing to show. */
export function renderChart(rows, facts) {
  const shown = CHART_ROWS.flatMap((id) =>
    rows.filter((row) => row.id === id && row.timesOfficial !== undefined),
  );
  if (shown.length === 0) throw new Error('The chart compares with the official SDK, and no row has it.');
  const height = TOP + shown.length * ROW_HEIGHT + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">What Inboard costs beside the official SDK and a host without one</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}" rx="8"/>`,
    ...renderHead(),
    ...shown.flatMap((row, index) => renderRow(row, TOP + index * ROW_HEIGHT)),
    ...facts.map((line, index) => text(16, height - 14 - 15 * (facts.length - 1 - index), 'small', line)),
    '</svg>\n',
  ].join('\n');
}

function renderHead() {
  return [
    text(16, 26, 'title', 'Cost: shorter is better on every row'),
    `<rect class="official" x="${LABEL_WIDTH}" y="17" width="12" height="9" rx="2"/>`,
    text(LABEL_WIDTH + 18, 26, '', 'official SDK'),
    `<rect class="inboard" x="${LABEL_WIDTH + 112}" y="17" width="12" height="9" rx="2"/>`,
    text(LABEL_WIDTH + 130, 26, '', 'Inboard'),
    `<line class="limit" x1="${LABEL_WIDTH + 200}" x2="${LABEL_WIDTH + 200}" y1="14" y2="29"/>`,
    text(LABEL_WIDTH + 208, 26, '', 'limit: a host without an SDK'),
  ];
}

function renderRow({ text: label, unit, official, inboard, limit, timesOfficial }, y) {
  const cost = 1 / timesOfficial;
  const shownCost = Math.min(cost, LONGEST_BAR);
  const barEnd = LABEL_WIDTH + OFFICIAL_WIDTH * Math.max(1, shownCost);
  const limitCost = limit && limit.median / official.median;
  const values = `${formatNumber(official.median)} → ${formatNumber(inboard.median)} ${unit}`;
  return [
    `<text x="${LABEL_WIDTH - 12}" y="${y + 19}" text-anchor="end">${escapeText(label)}</text>`,
    bar('official', y + 3, 1),
    bar('inboard', y + 15, shownCost),
    ...(limitCost !== undefined && limitCost <= LONGEST_BAR
      ? [`<line class="limit" x1="${at(limitCost)}" x2="${at(limitCost)}" y1="${y}" y2="${y + 28}"/>`]
      : []),
    text(barEnd + 12, y + 12, 'small', values),
    text(barEnd + 12, y + 26, 'strong', describeCost(cost)),
  ];
}

function describeCost(cost) {
  if (cost <= 1) return `${formatTimes(1 / cost)} better`;
  return `${formatTimes(cost)} the cost${cost > LONGEST_BAR ? ', bar cut' : ''}`;
}

function bar(name, y, cost) {
  // A bar that cannot be seen would look like a missing one.
  const width = Math.max(2, OFFICIAL_WIDTH * cost);
  return `<rect class="${name}" x="${LABEL_WIDTH}" y="${y}" width="${round(width)}" height="10" rx="2"/>`;
}

function at(cost) {
  return round(LABEL_WIDTH + OFFICIAL_WIDTH * Math.max(0, cost));
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function text(x, y, name, content) {
  const attribute = name === '' ? '' : ` class="${name}"`;
  return `<text${attribute} x="${round(x)}" y="${y}">${escapeText(content)}</text>`;
}

function escapeText(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

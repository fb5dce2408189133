// The whole comparison as one page that opens from disk: the joint table, the spans, the content of the frames, the reasons.
import { readFileSync } from 'node:fs';
import type { Line } from '../comparison/align.ts';
import type { Difference } from '../comparison/explain.ts';
import { KNOWN_DIFFERENCES } from '../comparison/known-differences.ts';
import type { FieldDifference, PayloadComparison } from '../comparison/payloads.ts';
import type { Span } from '../comparison/spans.ts';
import type { Run } from '../src/record-run.ts';

/** What was compared. `payloads` has a list for each run, `files` the page of each run, frame by frame. */
export interface Comparison {
  lines: Line[];
  runs: Run[];
  differences: Difference[];
  spans: Span[];
  payloads: PayloadComparison[][];
  files: string[];
}

const STYLE = readFileSync(new URL('comparison.css', import.meta.url), 'utf8');

export function renderComparison(comparison: Comparison): string {
  const { runs, files } = comparison;
  const pages = runs.map(({ title }, at) => `<a href="${escape(files[at] ?? '')}">${escape(title)}</a>`);
  const missing = countUnexplained(comparison);
  const verdict = missing
    ? `<span class="bad">${missing} differences are not explained.</span>`
    : 'Every difference is explained.';
  return `<!doctype html>
<html lang="en" data-ready="true"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Annotated trace: the document and ${runs.length} recordings</title><style>${STYLE}</style></head><body><main>
<h1>One tool call, frame by frame</h1>
<p>A document from February 2026 beside ${runs.length} recordings of the same run. ${verdict} The recordings as pages of their own: ${pages.join(', ')}.</p>
<h2>The order of the frames</h2>
<p class="soft">Milliseconds since the CLI turned to the tool server. A letter marks a cell that differs; the reasons are below.</p>
<div class="scroll" tabindex="0">${renderRows(comparison)}</div>
${renderReasons(comparison)}
<h2>Two spans of time</h2>
<div class="scroll" tabindex="0">${renderSpans(comparison)}</div>
<h2>What the frames say</h2>
<p class="soft">Each frame that the document quotes, beside the first of its name in each recording, field by field.</p>
${comparison.payloads.map((payloads, at) => renderPayloads(payloads, runs[at]?.title ?? '')).join('\n')}
</main></body></html>
`;
}

/** How many cells and fields have no reason. */
export function countUnexplained({
  differences,
  payloads,
}: Pick<Comparison, 'differences' | 'payloads'>): number {
  const fields = payloads.flat().flatMap((payload) => payload.differences ?? []);
  return [...differences, ...fields].filter(({ reason }) => !reason).length;
}

function renderRows({ lines, runs, differences }: Comparison): string {
  const rows = lines.map(({ step, document, runs: cells }, line) => {
    const ours = cells.map((cell, run) => {
      const found = differences.find((one) => one.line === line && one.run === run);
      const letter = found?.reason
        ? `<span class="mark">${found.reason.letter}</span>`
        : found
          ? '<span class="bad">?</span>'
          : '';
      return `<td class="number">${escape(cell?.time ?? '·')} ${letter}</td>`;
    });
    const arrow = { 'cli-to-host': 'CLI → host', 'host-to-cli': 'host → CLI', none: '' }[step.direction];
    const says = cells.findLast(Boolean)?.says ?? step.says;
    const rest = [
      `<td class="whole">${arrow}</td>`,
      `<td class="code whole">${step.layer} ${escape(step.event)}</td>`,
      `<td class="code soft">${escape(says)}</td>`,
    ];
    return `<tr><td class="number">${escape(document?.time ?? '·')}</td>${ours.join('')}${rest.join('')}</tr>`;
  });
  return table(['document', ...runs.map(({ title }) => title), 'direction', 'frame', 'content'], rows);
}

function renderReasons({ differences }: Comparison): string {
  const used = KNOWN_DIFFERENCES.filter((known) => differences.some(({ reason }) => reason === known));
  const items = used.map(
    ({ letter, title, why }) =>
      `<p><span class="mark">${letter}</span> <b>${escape(title)}</b> ${escape(why)}</p>`,
  );
  return items.join('\n');
}

function renderSpans({ spans, runs }: Comparison): string {
  const show = (span: number | undefined): string =>
    `<td class="number">${span === undefined ? 'none' : `${Number(span.toFixed(1))} ms`}</td>`;
  const rows = spans.map(
    ({ title, document, runs: ours }) =>
      `<tr><td>${title}</td>${show(document)}${ours.map(show).join('')}</tr>`,
  );
  return table(['span', 'document', ...runs.map(({ title }) => title)], rows);
}

function renderPayloads(payloads: readonly PayloadComparison[], title: string): string {
  const parts = payloads.map(({ section, where, same, differences }) => {
    const name = `${section} <code>${escape(where)}</code>`;
    if (!differences)
      return `<details><summary>${name} <span class="soft">not in this run</span></summary></details>`;
    const open = differences.some(({ reason }) => !reason) ? ' open' : '';
    const rows = differences.map(renderField);
    const count = `${same} the same, ${differences.length} differ`;
    return `<details${open}><summary>${name} <span class="soft">${count}</span></summary><div class="scroll" tabindex="0">${table(['field', 'document', 'recorded', 'why'], rows)}</div></details>`;
  });
  return `<h3>${escape(title)}</h3>${parts.join('\n')}`;
}

function renderField({ path, document, ours, reason }: FieldDifference): string {
  const show = (value: unknown): string =>
    `<td class="code">${value === undefined ? '·' : escape(JSON.stringify(value))}</td>`;
  const why = reason
    ? `${escape(reason.title)} <span class="soft">${escape(reason.why)}</span>`
    : '<span class="bad">not explained</span>';
  return `<tr><td class="code">${escape(path)}</td>${show(document)}${show(ours)}<td>${why}</td></tr>`;
}

const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th>${escape(head)}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;

const escape = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );

// Records the run, puts it beside the document's table, and says why they differ. Exits with 1 where it cannot say why.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { renderTimelineHtml } from 'inboard/trace';
import { alignTables } from '../comparison/align.ts';
import { readDocument } from '../comparison/document.ts';
import { explainDifferences } from '../comparison/explain.ts';
import { findClis } from './find-clis.ts';
import { withModel } from './offline.ts';
import { comparePayloads, readPayloads } from '../comparison/payloads.ts';
import { measureSpans } from '../comparison/spans.ts';
import { countUnexplained, renderComparison } from '../page/comparison-page.ts';
import { printTable } from './print-table.ts';
import { recordRun } from './record-run.ts';

const { json, html } = readFlags();
const { old, new: today } = findClis();
const plans = [{ cli: old }, { cli: old, byFlag: true }, { cli: today }].filter(({ cli }) => cli.path);
for (const { name, path, install } of [old, today])
  if (!path) console.error(`${name} is not installed, so its columns are missing. To have them: ${install}`);
if (plans.length === 0) process.exit(1);
const model = process.env['ANTHROPIC_API_KEY'] ? 'a real model' : 'a script as the model (no key is set)';
const times = 'Times are milliseconds since the CLI turned to the tool server.';
if (!json) console.log(`One greeting, recorded on the real CLI with ${model} …\n${times}\n`);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
const recordings = plans.map(({ cli: { path }, byFlag }) =>
  withModel((place) =>
    recordRun({ ...place, pathToClaudeCodeExecutable: path, abortController: stop }, byFlag),
  ),
);
const runs = await Promise.all(recordings).catch(async (error: Error) => {
  // One that fails ends the others, and all of them clean up.
  if (!stop.signal.aborted) console.error(`The run could not be recorded. ${error.message}`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
  stop.abort();
  await Promise.allSettled(recordings);
  return process.exit();
});
const document = await readDocument();
const lines = alignTables(document, runs);
const differences = explainDifferences(lines, runs);
const spans = measureSpans(document, runs);
const quoted = await readPayloads();
const payloads = runs.map((run) => comparePayloads(quoted, run));
const files = runs.map(({ title }, at) =>
  at === runs.length - 1 ? 'trace.html' : `trace-${title.replaceAll(' ', '-')}.html`,
);
const comparison = { lines, runs, differences, spans, payloads, files };
const width = Math.max(80, process.stdout.columns ?? (Number(process.env['COLUMNS']) || 80));
const colour = process.env['FORCE_COLOR'] === '1' || (process.stdout.isTTY && !process.env['NO_COLOR']);
if (json) console.log(JSON.stringify({ ...comparison, runs: runs.map(({ title }) => title) }, null, 2));
else console.log(printTable({ ...comparison, width, colour }));
if (html) {
  for (const [at, { timeline }] of runs.entries()) await writeFile(files[at]!, renderTimelineHtml(timeline));
  await writeFile('comparison.html', renderComparison(comparison));
  console.error(`The comparison: comparison.html. The runs, frame by frame: ${files.join(', ')}`);
}
process.exitCode = countUnexplained(comparison) === 0 ? 0 : 1;

function readFlags(): { json?: boolean; html?: boolean } {
  try {
    return parseArgs({ options: { json: { type: 'boolean' }, html: { type: 'boolean' } } }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm start -- [--json] [--html]`);
    return process.exit(2);
  }
}

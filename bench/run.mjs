// `npm run bench`: Inboard, the official SDK and a host without an SDK, side by side on the same CLI. docs/performance.md says
// how to read what it prints; `--help` lists the options.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCommandLine, USAGE } from './command-line.mjs';
import { describeMachine, readCommit, readLoad } from './machine.mjs';
import { findClusterObstacle } from './plan/cluster-turn.mjs';
import { createMeasurer } from './plan/measure.mjs';
import { runRounds } from './plan/run-rounds.mjs';
import { findInboard, findOfficial, findRealCli, findUnbuiltFile, root } from './plan/sdks.mjs';
import { renderChart } from './report/chart.mjs';
import { rewritePage } from './report/docs-page.mjs';
import { LEGEND, renderChartFacts, renderFacts } from './report/facts.mjs';
import { createRows } from './report/rows.mjs';
import { renderTable } from './report/table.mjs';

const RESULTS = join(root, 'bench', 'results.json');
const CHART = join(root, 'docs', 'performance.svg');
const PAGE = join(root, 'docs', 'performance.md');

/** The targets by name, without those that are not wanted or not there. */
function chooseTargets(wanted, size) {
  const targets = {};
  const take = (name, found) => {
    if (found.missing === undefined) targets[name] = found;
    else console.log(found.missing);
  };
  if (wanted.includes('official')) take('official', findOfficial());
  if (wanted.includes('inboard')) take('inboard', findInboard());
  if (wanted.includes('limit')) {
    targets['limit-raw'] = { mode: 'raw' };
    // The slower one of the two nearly everywhere, so a quick run does without.
    if (size !== 'quick') targets['limit-readline'] = { mode: 'readline' };
  }
  return targets;
}

/** The scenarios that can run, and in words why others cannot: each kind needs something else to be there. */
function chooseScenarios(scenarios, realCli) {
  const obstacles = [
    ['isReal', 'No rows on the real CLI', realCli.missing ?? findInboard().missing],
    ['isCluster', 'No rows of the cluster', findClusterObstacle()],
  ].filter(([kind, , why]) => why !== undefined && scenarios.some((scenario) => scenario[kind]));
  for (const [, what, why] of obstacles) console.log(`${what}. ${why}`);
  return scenarios.filter((scenario) => !obstacles.some(([kind]) => scenario[kind]));
}

/** What is published is measured on what is there. */
function checkBuild(writesDocs) {
  const file = findUnbuiltFile();
  if (file === undefined) return;
  const message = `The build is older than ${relative(root, file)}. Run "npm run build".`;
  if (writesDocs) throw new Error(message);
  console.log(message);
}

async function measureAll({ size, rounds, scenarios: asked, targets: wanted, command, writesDocs }) {
  const targets = chooseTargets(wanted, size);
  if (targets.inboard) checkBuild(writesDocs);
  const realCli = findRealCli();
  const scenarios = chooseScenarios(asked, realCli);
  const isReal = scenarios.some((scenario) => scenario.isReal);
  const testing = isReal
    ? await import(pathToFileURL(join(root, 'dist', 'entry', 'testing.js')).href)
    : undefined;
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-bench-')));
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  // Also when the user stops the run.
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const before = readLoad();
  const begun = performance.now();
  try {
    const measure = createMeasurer({ size, temporary, realCli: realCli.path, testing });
    const { values, faults, seconds } = await runRounds({ scenarios, targets, rounds, measure, report });
    report('');
    return {
      date: new Date().toISOString(),
      command,
      size,
      rounds,
      fewestRounds: Math.min(...scenarios.map(({ maxRounds = rounds }) => Math.min(maxRounds, rounds))),
      seconds: (performance.now() - begun) / 1000,
      machine: describeMachine(),
      load: { before, after: readLoad() },
      versions: {
        inboard: targets.inboard?.version,
        commit: readCommit(),
        official: targets.official?.version,
        cli: isReal ? realCli.version : undefined,
      },
      secondsByScenario: seconds,
      rows: createRows({ scenarios, values, size }),
      faults,
    };
  } finally {
    remove();
  }
}

function report(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** The results as JSON, with figures no longer than they are true, and the rounds of a figure in one line. */
function renderJson(results) {
  const shorten = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value);
  const text = JSON.stringify(results, shorten, 1);
  return `${text.replaceAll(/\[[\s\d.,e+-]+\]/g, (list) => list.replaceAll(/\s+/g, ' '))}\n`;
}

function writeResults(results, { json, svg, writesDocs }) {
  const text = renderJson(results);
  const chart =
    svg !== undefined || writesDocs ? renderChart(results.rows, renderChartFacts(results)) : undefined;
  if (json !== undefined) writeFileSync(json, text);
  if (svg !== undefined) writeFileSync(svg, chart);
  if (!writesDocs) return;
  writeFileSync(PAGE, rewritePage(readFileSync(PAGE, 'utf8'), results));
  writeFileSync(CHART, chart);
  writeFileSync(RESULTS, text);
}

async function main() {
  const asked = readCommandLine(process.argv.slice(2));
  if (asked.isHelp) {
    console.log(USAGE);
    return;
  }
  // What is printed and drawn is what is kept, so that it can be made again of it.
  const measured = asked.from ? JSON.parse(readFileSync(asked.from, 'utf8')) : await measureAll(asked);
  const results = JSON.parse(renderJson(measured));
  console.log(`${renderFacts(results)}\n\n${renderTable(results.rows)}\n\n${LEGEND}`);
  for (const fault of results.faults) console.log(`FAULT ${fault}`);
  if (results.rows.length === 0) throw new Error('Nothing was measured.');
  writeResults(results, asked);
  if (results.faults.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

// Changes the areas that carry safety in small ways, one at a time, and sees whether a test fails each time. What no test
// notices (a survivor) is named in the report, with the reason from test/mutation/reasons.json; one without a reason is a gap.
// Needs Linux (`unshare`), and takes long: it is no part of CI.
//   node scripts/run-mutation.mjs                 150 mutants of each area; writes test/mutation/report.md
//     --area <name>     only this one (may be repeated); the others stay in the report as they are
//     --file <text>     only files with this in their path; leaves the report as it is
//     --all             all mutants, instead of a sample
//     --sample <count>  how many of each area; default 150
//     --seed <number>   of the sample; default 11
//     --again           only what survived the last time, after tests were added; what was killed then still counts
//     --report          tries nothing: writes the report anew, as after a change of reasons.json
//     --map <file>      keeps which test reaches what in this file, and uses what is still true of it
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCoverage, selectTests } from './support/mutation/coverage.mjs';
import { TestHost } from './support/mutation/hosts.mjs';
import { listMutants, sample } from './support/mutation/mutants.mjs';
import {
  describeSurvivor,
  isAlive,
  listStaleReasons,
  readResults,
  summarize,
  writeReport,
} from './support/mutation/report.mjs';
import { listAreaFiles, listAreaTests, AREAS } from './support/mutation/areas.mjs';
import { handOver, isSandboxed, runInSandbox } from './support/mutation/sandbox.mjs';
import { tryMutant } from './support/mutation/try-mutant.mjs';

// A control also shows whether what earlier mutants left behind disturbs the tests; then all starts anew.
const BETWEEN_CONTROLS = 25;

const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true },
    file: { type: 'string' },
    all: { type: 'boolean' },
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '11' },
    again: { type: 'boolean' },
    map: { type: 'string' },
    report: { type: 'boolean' },
  },
});
const areas = values.area ?? Object.keys(AREAS);
for (const area of areas)
  if (!Object.hasOwn(AREAS, area))
    throw new Error(`There is no area "${area}"; there are ${Object.keys(AREAS).join(', ')}.`);

if (isSandboxed()) {
  handOver(await tryAreas());
} else if (values.report) {
  writeReport([]);
} else {
  // The disk cannot be written to in there.
  process.exitCode = runInSandbox(import.meta.filename, ({ summaries, coverage }) => {
    if (!values.file) writeReport(summaries);
    if (values.map) writeFileSync(values.map, JSON.stringify(coverage));
  });
}

async function tryAreas() {
  const seed = Number(values.seed);
  const count = values.all ? Number.POSITIVE_INFINITY : Number(values.sample);
  const which = values.again ? 'the survivors' : values.all ? 'all mutants' : `${count} mutants`;
  console.log(`Seed ${seed}, ${which} of each area.`);
  const begun = performance.now();
  const isKnown = values.map && existsSync(values.map);
  const coverage = await readCoverage(
    listAreaTests(areas),
    isKnown ? JSON.parse(readFileSync(values.map, 'utf8')) : [],
  );
  console.log(`Mapped ${coverage.length} test files (${seconds(begun)}).`);
  const results = [];
  for (const area of areas) results.push(await tryArea(area, { coverage, seed, count }));
  for (const stale of listStaleReasons()) console.log(`A reason without a mutant: ${stale}`);
  return { summaries: results.map(summarize), coverage };
}

async function tryArea(area, { coverage, seed, count }) {
  const begun = performance.now();
  const files = listAreaFiles(area).filter((file) => !values.file || file.includes(values.file));
  const generated = files.flatMap(listMutants);
  const earlier = values.again ? readEarlier(area) : undefined;
  const mutants = earlier ? generated.filter(isSurvivorOf(earlier)) : sample(generated, count, seed);
  const host = new TestHost({});
  const killers = new Map();
  const tried = [];
  let controls = 0;
  let falseKills = 0;
  for (const [index, mutant] of mutants.entries()) {
    const tests = selectTests(
      coverage.filter((entry) => AREAS[area].tests.test(entry.file)),
      mutant,
    );
    // The same tests on the unchanged source: where they fail, they would have counted as a kill.
    if (index % BETWEEN_CONTROLS === 0 && tests.length > 0) {
      controls++;
      const { outcome, by } = await tryMutant(host, { tests, killers });
      if (outcome !== 'survived') console.log(`${area}: without a mutant ${by} failed`);
      falseKills += outcome === 'survived' ? 0 : 1;
      await host.stop();
    }
    if (index > 0 && index % 10 === 0)
      console.log(`${area}: ${index} of ${mutants.length} tried (${seconds(begun)})`);
    const result = { mutant, ...(await tryMutant(host, { mutant, tests, killers })) };
    tried.push(result);
    if (isAlive(result)) console.log(describeSurvivor(result));
  }
  await host.stop();
  const dead = tried.filter((result) => !isAlive(result)).length;
  console.log(`${area}: ${dead} of ${tried.length} killed (${seconds(begun)})`);
  return { area, seed, generated: generated.length, tried, controls, falseKills, earlier };
}

function readEarlier(area) {
  const earlier = readResults().find((summary) => summary.area === area);
  if (!earlier) throw new Error(`The area "${area}" was not tried before: leave out --again.`);
  return earlier;
}

function isSurvivorOf({ survivors }) {
  return (mutant) => survivors.some(({ file, id }) => file === mutant.file && id === mutant.id);
}

function seconds(begun) {
  return `${Math.round((performance.now() - begun) / 1000)} s`;
}

// Guards against slow decay: counts what the packed package loads, starts, writes, runs, allocates and holds, in fresh
// processes, and compares it with test/guard/bounds.json. It counts instead of timing, so a busy machine changes nothing.
// Needs `npm run build` before. Ends with the line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/run-guard.mjs
//     --only <text>      only probes that have it in their name, as in --only "first query"
//     --explain          also prints what each count is made of
//     --renew            notes what was measured, and the bounds that follow from it (test/guard/table.mjs)
//     --tarball <file>   look at this one; default: pack the package as it is built
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { explain, formatTable, judge } from '../test/guard/judge.mjs';
import { measurePackage } from '../test/guard/package-size.mjs';
import { createProject } from '../test/guard/project.mjs';
import { at, PROBES, times } from '../test/guard/table.mjs';
import { unpackPackage } from '../test/outsider/project.mjs';

const AT_ONCE = 2;
const BOUNDS = fileURLToPath(new URL('../test/guard/bounds.json', import.meta.url));
const line = process.versions.node.split('.')[0];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    explain: { type: 'boolean' },
    renew: { type: 'boolean' },
    tarball: { type: 'string' },
  },
});

/** What a probe reports, from a process of its own that has nothing of this one's environment. */
function runProbe(project, { name, command, flags = [] }) {
  // A first query looks for what killed hosts have left in the temporary folder: what others left there must not be counted.
  const env = { PATH: process.env.PATH, HOME: join(project, 'home'), TMPDIR: join(project, 'tmp') };
  const options = { cwd: project, env, timeout: 60_000, maxBuffer: 2 ** 26 };
  return new Promise((settle, fail) => {
    execFile(process.execPath, [...flags, ...command], options, (error, stdout, stderr) => {
      if (error)
        fail(new Error(`The probe "${name}" (${command.join(' ')}) failed:\n${stderr || error.message}`));
      else settle(JSON.parse(stdout));
    });
  });
}

async function measureAll(probes, project) {
  const results = new Map();
  const waiting = [...probes];
  const work = async () => {
    for (let probe = waiting.shift(); probe; probe = waiting.shift())
      results.set(probe, await runProbe(project, probe));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** Measures once more, alone, what is above its bound and may be so because the machine is busy. What has really grown is so again. */
async function measureAgain(probes, results, { project, rows }) {
  for (const probe of probes) {
    const first = results.get(probe);
    const raised = Object.keys(probe.rows).filter(
      (key) =>
        probe.rows[key].isRaisedByLoad && first[key] > (rows[`${probe.name}: ${key}`]?.most ?? Infinity),
    );
    if (raised.length === 0) continue;
    const second = await runProbe(project, probe);
    for (const key of raised) first[key] = Math.min(first[key], second[key]);
    console.log(`measured again, alone: ${probe.name}: ${raised.join(', ')}`);
  }
}

/** The size of the package is measured here, and its bound follows from its entry points. */
function addPackage(probes, results, unpacked) {
  const { allowedBytes, ...measured } = measurePackage(unpacked);
  const probe = {
    name: 'package, unpacked',
    rows: { bytes: at(allowedBytes), files: times(1.15) },
  };
  probes.push(probe);
  results.set(probe, measured);
}

function tellDetails({ name }, { details = [] }) {
  console.log(`\n${name}:`);
  for (const detail of details) console.log(`    ${detail}`);
}

const isWanted = ({ name }) => name.includes(values.only ?? '');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-guard-')));
try {
  const bounds = JSON.parse(readFileSync(BOUNDS, 'utf8'));
  const unpacked = unpackPackage(folder, values.tarball && resolve(values.tarball));
  const probes = PROBES.filter(isWanted);
  const project = createProject(folder, unpacked);
  const results = await measureAll(probes, project);
  if (!values.renew) await measureAgain(probes, results, { project, rows: bounds.rows });
  if (isWanted({ name: 'package, unpacked' })) addPackage(probes, results, unpacked);

  const troubles = [];
  const rows = [];
  for (const probe of probes) {
    const { details, ...measured } = results.get(probe);
    if (values.explain) tellDetails(probe, { details });
    for (const [key, value] of Object.entries(measured)) {
      const name = `${probe.name}: ${key}`;
      // A value that is no row is one that was not asked for.
      if (!probe.rows[key]) continue;
      if (values.renew) bounds.rows[name] = note(value, probe.rows[key](value));
      const isJudged = !probe.perNode || bounds.node === line;
      const row = judge({ name, measured: value, noted: bounds.rows[name], isJudged });
      rows.push(row);
      if (row.verdict === 'too much' || row.verdict === 'not noted') {
        const { isChosen = false } = probe.rows[key];
        troubles.push(explain(row, { probe: probe.name, isChosen }));
      }
    }
  }
  if (values.renew) {
    bounds.node = line;
    writeFileSync(BOUNDS, `${JSON.stringify(bounds, undefined, 2)}\n`);
  }
  console.log(`\n${formatTable(rows)}\n`);
  for (const trouble of troubles) console.log(`${trouble}\n`);
  console.log(`${rows.length - troubles.length} passed, ${troubles.length} failed`);
  // A run in which nothing was counted proves nothing.
  if (troubles.length > 0 || rows.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Rounded up, so that what was measured is never above what is noted; whole things are counted in whole numbers. */
function note(measured, most) {
  const parts = Number.isInteger(measured) ? 1 : 1000;
  const round = (value) => Math.ceil(value * parts) / parts;
  return { measured: round(measured), most: round(most) };
}

// Tries the packed package on Windows, as far as Wine can stand for it: the cases of test/windows, in Node for Windows. Several cases
// share a process. test/windows/cases.json names every case, and one that it names and that did not run counts as failed. Ends with the
// line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/run-windows.mjs --install   install Node for Windows and make a Windows only (needs the registry, and Wine)
//   node scripts/run-windows.mjs             install if need be, then run (needs no network once installed; Linux x64)
//     --only <text>   only what has it in "subject / case"
//     --renew         write test/windows/cases.json as the files have the cases
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installLocked } from './support/install-locked.mjs';
import { packPackage } from './support/pack-package.mjs';
import { DISK_C, hasWine, makeWindows, onDiskC, runNode, stopWindows } from '../test/windows/wine.mjs';

const AT_ONCE = 2;
const LIMIT_MS = 330_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'test', 'windows');
const listed = JSON.parse(readFileSync(join(source, 'cases.json'), 'utf8'));

const { values } = parseArgs({
  options: { install: { type: 'boolean' }, only: { type: 'string' }, renew: { type: 'boolean' } },
});

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log('Not run: Node for Windows is a program for x64, which Wine runs on Linux.');
  process.exit(0);
}
if (!hasWine()) {
  console.error('There is no Wine. Debian has it: apt-get install --no-install-recommends wine64');
  process.exit(1);
}
installLocked(source, ['--os=win32', '--cpu=x64']);
makeWindows();
if (!values.install) process.exitCode = (await runAll()) === 0 ? 0 : 1;

/** The subjects with the cases of each that are wanted: those of the list, and whatever is in a file that it does not name. */
function choose() {
  const { only = '', renew } = values;
  const files = readdirSync(join(source, 'cases')).map((file) => file.replace('.mjs', ''));
  return [...new Set([...Object.keys(listed), ...files])].flatMap((subject) => {
    const wanted = (listed[subject] ?? []).filter((name) => `${subject} / ${name}`.includes(only));
    if (wanted.length > 0) return [{ subject, wanted }];
    return (renew || !(subject in listed)) && subject.startsWith(only.split(' ')[0])
      ? [{ subject, wanted }]
      : [];
  });
}

async function runAll() {
  const begun = performance.now();
  const place = mkdtempSync(join(tmpdir(), 'inboard-windows-'));
  const run = mkdtempSync(join(DISK_C, 'Inboard run '));
  const counts = { passed: 0, failed: 0 };
  const clean = () => {
    stopWindows();
    for (const folder of [place, run])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clean();
      process.exit(1);
    });
  }
  try {
    const project = createProject(place, run);
    const waiting = choose();
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { passed, failed } = await runSubject(next, { place, run, project });
        counts.passed += passed;
        counts.failed += failed;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (values.renew) writeFileSync(join(source, 'cases.json'), `${JSON.stringify(listed, undefined, 2)}\n`);
  } finally {
    clean();
  }
  console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed + (counts.passed === 0 ? 1 : 0);
}

/** The packed package as an install unpacks it, with what it depends on, beside the cases. */
function createProject(place, run) {
  const project = join(run, 'my project');
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'inboard'), { recursive: true });
  execFileSync('tar', ['-xzf', packPackage(place), '-C', join(modules, 'inboard'), '--strip-components=1']);
  for (const name of ['@cfworker', '@modelcontextprotocol', '@agentclientprotocol', 'zod'])
    if (existsSync(join(root, 'node_modules', name)))
      cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true, dereference: true });
  for (const name of ['play.mjs', 'support.mjs', 'cases', 'programs'])
    cpSync(join(source, name), join(project, name), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  return project;
}

async function runSubject({ subject, wanted }, { place, run, project }) {
  const results = join(run, `${subject}.jsonl`);
  const begun = performance.now();
  const isPart = wanted.length < (listed[subject]?.length ?? 0);
  const start = async (cases) => {
    const words = [join(project, 'play.mjs'), results, run].map(onDiskC);
    words.splice(1, 0, subject);
    if (cases !== undefined) words.push(JSON.stringify(cases));
    const output = join(place, `${subject}.txt`);
    return await runNode(words, { cwd: project, output, progress: results, limitMs: LIMIT_MS });
  };
  let ended = await start(isPart ? wanted : undefined);
  // Wine sometimes stands still as a whole. A case that stops it twice has failed.
  if (ended.hasStalled && !values.renew) {
    const done = new Set(readOutcomes(results).outcomes.map(({ name }) => name));
    console.log(`${subject}: Wine stood still after ${done.size} cases. The others run in another process.`);
    ended = await start(wanted.filter((name) => !done.has(name)));
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const { names, outcomes } = readOutcomes(results);
  if (values.renew) listed[subject] = names;
  const judged = values.renew ? names : wanted;
  const faults = judged.flatMap((name) => {
    const outcome = outcomes.find((one) => one.name === name);
    const fault = outcome === undefined ? 'It did not run.' : outcome.error;
    return fault === undefined ? [] : [`${name}: failed\n${indent(fault)}`];
  });
  const count = { passed: judged.length - faults.length };
  for (const name of names.filter((one) => !listed[subject]?.includes(one)))
    faults.push(`${name}: test/windows/cases.json does not name it`);
  if (ended.code !== 0) faults.push(`its process did not end by itself (${ended.code ?? ended.signal})`);
  console.log(`${subject}: ${count.passed} of ${judged.length} (${seconds} s)`);
  for (const fault of faults) console.log(indent(fault));
  if (faults.length > 0) console.log(indent(ended.text.slice(-4000)));
  return { ...count, failed: faults.length };
}

/** What a file says: the names of all cases of a subject, and what became of each that ran. */
function readOutcomes(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const read = lines.map((line) => JSON.parse(line));
  return { names: read[0]?.names ?? [], outcomes: read.filter(({ name }) => name !== undefined) };
}

function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}

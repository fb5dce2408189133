// Compiles the programs of test/outsider/types against the packed package, in empty projects without our development
// dependencies: with the oldest supported TypeScript, the newest and one between, the oldest and the newest types of
// Node, with and without packages that a user may have. Ends with the line "N passed, M failed", and with 1 when
// something failed.
//   node scripts/check-types.mjs --install   install compilers and types only (needs the registry)
//   node scripts/check-types.mjs             install if need be, then compile (needs no network once installed)
//     --tarball <file>   check this one; default: pack the package as it is built
//     --only <text>      only projects that have it in their name, as in --only "TypeScript 7"
import { availableParallelism, tmpdir } from 'node:os';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileProject, createProject, unpackPackage } from '../test/outsider/project.mjs';
import { folder as outsider, listProjects } from '../test/outsider/projects.mjs';
import { installLocked } from './support/install-locked.mjs';

const { values } = parseArgs({
  options: { install: { type: 'boolean' }, tarball: { type: 'string' }, only: { type: 'string' } },
});

/** Compiles one project and tells how it went; true when nothing is wrong. */
async function check(project, place, unpacked) {
  const begun = performance.now();
  createProject(place, project, unpacked);
  const { ours, others } = await compileProject(place, project);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${project.name}: ${ours.length === 0 ? 'passed' : 'failed'} (${seconds} s)`);
  for (const line of ours) console.log(`    ${line}`);
  // Packages of others are not ours to mend, but a reader should know that the project had them.
  if (others.length > 0)
    console.log(`    note: ${others.length} errors inside other packages, as ${others[0]}`);
  return ours.length === 0;
}

installLocked(outsider);
if (!values.install) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-types-')));
  try {
    const unpacked = unpackPackage(folder, values.tarball && resolve(values.tarball));
    const waiting = listProjects().filter(({ name }) => name.includes(values.only ?? ''));
    const results = [];
    const work = async () => {
      for (let project = waiting.shift(); project; project = waiting.shift())
        results.push(await check(project, mkdtempSync(join(folder, 'project-')), unpacked));
    };
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
    const passed = results.filter(Boolean).length;
    console.log(`\n${passed} passed, ${results.length - passed} failed`);
    // A run in which nothing was compiled proves nothing.
    if (passed === 0 || passed < results.length) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

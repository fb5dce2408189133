// Proves inboard/ui with the parts it is made for: the types, the reader and the hooks of the AI SDK, one real server for each
// framework, and a page in a real browser, all from the packed package, with the real CLI and a scripted model on loopback.
// Ends with the line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/run-front-ends.mjs --install   install the packages only (needs the registry)
//   node scripts/run-front-ends.mjs             install if need be, then run (needs no network once installed)
//     --only <text>   only proofs with this in their name, as in --only Hono
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { createFrontEndProject } from '../test/front-ends/project.mjs';
import { NoBrowserError } from '../test/front-ends/drive-page.mjs';
import { endProcesses } from '../test/matrix/run-program.mjs';
import { installLocked } from './support/install-locked.mjs';

const AT_ONCE = 2;
// Next, Bun and Deno are pinned where they are proved for themselves.
const FOLDERS = ['front-ends', 'bundlers', 'matrix'].map((name) =>
  fileURLToPath(new URL(`../test/${name}`, import.meta.url)),
);

const { values } = parseArgs({ options: { install: { type: 'boolean' }, only: { type: 'string' } } });
for (const folder of FOLDERS) installLocked(folder);
if (!values.install) process.exitCode = (await runAll()) === 0 ? 0 : 1;

async function runAll() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-f-')));
  const clean = () => {
    endProcesses(place);
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clean();
      process.exit(1);
    });
  }
  // Only now: it imports what has just been installed.
  const { PROOFS } = await import('../test/front-ends/proofs.mjs');
  const waiting = PROOFS.filter(({ name }) => name.includes(values.only ?? ''));
  const counts = { passed: 0, failed: 0, 'left out': 0 };
  try {
    const project = createFrontEndProject(place);
    const work = async () => {
      for (let proof = waiting.shift(); proof; proof = waiting.shift())
        counts[await runProof(proof, project, place)] += 1;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
  } finally {
    clean();
  }
  // A run in which nothing was proved proves nothing.
  return counts.passed === 0 ? 1 : counts.failed;
}

async function runProof({ name, missing, run }, project, place) {
  const begun = performance.now();
  try {
    if (missing) throw new Error(missing);
    await run({ project, place });
    console.log(`${name}: passed (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return 'passed';
  } catch (error) {
    // Skipped only if INBOARD_REQUIRE_BROWSER is not set, because there may be no browser for this machine.
    if (error instanceof NoBrowserError && process.env.INBOARD_REQUIRE_BROWSER === undefined) {
      console.log(`${name}: not run: ${error.message}`);
      return 'left out';
    }
    console.log(
      `${name}: failed\n${[inspect(error), error.stdout, error.stderr].filter(Boolean).join('\n')}`,
    );
    return 'failed';
  }
}

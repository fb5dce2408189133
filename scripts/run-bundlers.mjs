// Proves that bundlers take the packed package: each bundler that test/bundlers/package.json pins makes a program of it
// that runs a query with a tool on the fake CLI and reads past sessions. Ends with the line "N passed, M failed"; exits
// with 1 when something failed.
//   node scripts/run-bundlers.mjs --install   install the bundlers only (needs the registry)
//   node scripts/run-bundlers.mjs             install if need be, then run (needs no network once installed)
//     --only <text>   only bundlers with this in their name
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { BUNDLERS } from '../test/bundlers/bundlers.mjs';
import { createProject } from '../test/matrix/project.mjs';
import { installLocked } from './support/install-locked.mjs';

const folder = fileURLToPath(new URL('../test/bundlers', import.meta.url));
const EXPECTED = { answer: 'It is 42.', asked: [21], sessions: 0, error: 'InboardError' };

const { values } = parseArgs({ options: { install: { type: 'boolean' }, only: { type: 'string' } } });
installLocked(folder);
if (!values.install) process.exitCode = (await runAll()) === 0 ? 0 : 1;

async function runAll() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-bundlers-')));
  let failed = 0;
  try {
    const { folder: project } = await createProject(place);
    cpSync(join(folder, 'programs'), project, { recursive: true });
    linkBundlers(project);
    const chosen = BUNDLERS.filter(({ name }) => name.includes(values.only ?? ''));
    for (const { name, run } of chosen) {
      const begun = performance.now();
      try {
        assert.deepEqual(await playOnce(project, (env) => run(project, env)), EXPECTED);
        console.log(`${name}: passed (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed += 1;
        console.log(
          `${name}: failed\n${[error.stack, error.stdout, error.stderr].filter(Boolean).join('\n')}`,
        );
      }
    }
    console.log(`${chosen.length - failed} passed, ${failed} failed`);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  return failed;
}

/** Plays the CLI's side for one program; throws when the program broke the protocol or left something over. */
async function playOnce(project, run) {
  const entryPoint = join(project, 'node_modules', 'inboard', 'dist', 'entry', 'testing.js');
  const { createFakeCli, expectPrompt, text, toolUse } = await import(pathToFileURL(entryPoint).href);
  const fake = createFakeCli([
    expectPrompt('Double 21.'),
    toolUse('mcp__math__double', { n: 21 }),
    text('It is 42.'),
  ]);
  const home = mkdtempSync(join(project, 'home-'));
  const env = { PATH: process.env.PATH, HOME: home, INBOARD_BUNDLED_CLI: await fake.executable() };
  try {
    return await run(env);
  } catch (error) {
    // What the program said is the news, not that the fake was left alone.
    await fake.close().catch(() => {});
    throw error;
  } finally {
    await fake.close();
  }
}

/** Next and what it needs are looked for from the program, where only the package is installed. */
function linkBundlers(project) {
  const from = join(folder, 'node_modules');
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    const target = join(project, 'node_modules', name);
    if (!existsSync(target)) symlinkSync(join(from, name), target, 'junction');
  }
}

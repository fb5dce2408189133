// Compares us with the official SDK: past sessions, every option and method on the same recording CLI, the values
// of the constants. The official package is no dependency of this project: it is installed, without its binary, into
// test/official, which has a lockfile of its own.
//   node scripts/compare-official.mjs --install  install only (needs the registry)
//   node scripts/compare-official.mjs            install if need be, then compare; of the random sessions a third, chosen by the commit
//   node scripts/compare-official.mjs --all      compare all random sessions
//   node scripts/compare-official.mjs --record   write the official answers down first, for the ordinary tests
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommitSeed } from './support/commit-seed.mjs';
import { installLocked } from './support/install-locked.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', 'official');

installLocked(folder, ['--omit=optional', '--ignore-scripts']);
if (process.argv.includes('--install')) process.exit();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const env = process.argv.includes('--record') ? { INBOARD_RECORD: '1' } : {};
if (!process.argv.includes('--all')) {
  env.INBOARD_COMPARE_SEED = String(readCommitSeed(undefined, root));
  console.log(`A third of the random sessions, seed ${env.INBOARD_COMPARE_SEED}.`);
}
execFileSync(process.execPath, [vitest, 'run', '--config', join(folder, 'vitest.config.ts')], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});

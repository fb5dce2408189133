// Runs an eighth of the long tests on the real CLIs, chosen by a seed that is made of the commit and printed: of large files an
// eighth of their cases, and an eighth of the small files. The next commit runs another eighth; `npm run test:long` runs them
// all, as the nightly workflow does.
//   node scripts/run-long.mjs
//     --seed <number>   another eighth
//     --list            names the files, and runs nothing
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCommitSeed } from './support/commit-seed.mjs';

const { values } = parseArgs({ options: { seed: { type: 'string' }, list: { type: 'boolean' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const seed = readCommitSeed(values.seed, root);
const files = readdirSync(`${root}test/e2e`).filter((name) => name.endsWith('.long.test.ts'));
// Whether the fake CLI is honest: nothing else asks that, and everything on the fake rests on it.
const ALWAYS = ['parity.long.test.ts'];
const placeOf = (name) => createHash('sha256').update(`${seed} ${name}`).digest('hex');
// These choose among their own cases (test/e2e/support/cases.ts).
const isLarge = (name) => readFileSync(`${root}test/e2e/${name}`, 'utf8').includes('forEachCliInParts(');
const large = files.filter(isLarge);
const small = files.filter((name) => !large.includes(name));
const chosen = small
  .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)))
  .filter((name, index) => index < small.length / 8 || ALWAYS.includes(name))
  .concat(large)
  .toSorted();

console.log(`${chosen.length} of ${files.length} files, seed ${seed}: ${chosen.join(', ')}`);
console.log(`An eighth of the cases of ${large.join(', ')}`);
if (!values.list) {
  const { status } = spawnSync(
    'npm',
    ['run', '--silent', 'test:long', '--', ...chosen.map((name) => `test/e2e/${name}`)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, INBOARD_LONG_SEED: String(seed) },
    },
  );
  process.exitCode = status ?? 1;
}

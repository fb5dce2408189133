// Runs the long tests on the real CLIs: a quarter of their files, chosen by a seed that is made of the commit and printed.
// The next commit runs another quarter; `npm run test:long` runs them all, as the nightly workflow does.
//   node scripts/run-long.mjs
//     --seed <number>   another quarter
//     --list            names the files, and runs nothing
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
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
const chosen = files
  .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)))
  .filter((name, index) => index < files.length / 4 || ALWAYS.includes(name))
  .toSorted();

console.log(`${chosen.length} of ${files.length} files, seed ${seed}: ${chosen.join(', ')}`);
if (!values.list) {
  const { status } = spawnSync(
    'npm',
    ['run', '--silent', 'test:long', '--', ...chosen.map((name) => `test/e2e/${name}`)],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
}

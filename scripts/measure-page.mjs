// How quick the inspector's page is with 100,000 events, in milliseconds and counts: `node scripts/measure-page.mjs`. It runs the
// tests that check the counts and do what is timed, and prints what they noted on the way: the first drawing (wanted under 1 s), from
// a key to the next frame (under 150 ms at the 95th percentile, in every view), and jumps of the scroll bar (at most twice those in a
// plain list of the same height). The figures are this machine's, and want it idle.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'measure-page-'));
const figures = join(folder, 'figures.jsonl');
const tests = ['speed', 'scale'].map((name) => `test/browser/inspector/${name}.test.ts`);
// One file after the other, so that they do not wait for each other.
const test = ['run', '--project', 'browser', '--maxWorkers', '1', ...tests];
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...test],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, INBOARD_MEASURE: figures, INBOARD_REQUIRE_BROWSER: '1' },
  },
);
for (const line of readFileSync(figures, 'utf8').trimEnd().split('\n')) {
  const { name, value } = JSON.parse(line);
  console.log(`${name}: ${typeof value === 'number' ? Math.round(value) : value}`);
}
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;

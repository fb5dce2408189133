// Runs a command that runs vitest, and where a few test files fail runs those once more, alone. What passes only then is named
// as unstable, on standard output and in the file that INBOARD_UNSTABLE names: it does not hold up a change, and it is not
// forgotten.
//   node scripts/run-tests.mjs npm test
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listUnstable, planSecondTry } from './support/second-try.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'inboard-tests-'));

function run(command, path) {
  const { status } = spawnSync(command[0], command.slice(1), {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, INBOARD_TEST_REPORT: path },
  });
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // A run that did not get as far as its report: the plan of a second try says so.
  }
  return { status: status ?? 1, report };
}

function runTwice(command) {
  const first = run(command, join(folder, 'first.json'));
  if (first.status === 0) {
    tellUnstable(first.report?.repeated ?? []);
    return 0;
  }
  const plan = planSecondTry(first.report);
  if (plan.refused !== undefined) {
    console.log(`\nNo second try: ${plan.refused}.`);
    return first.status;
  }
  console.log(`\nA second try, alone: vitest run ${plan.args.join(' ')}`);
  const second = run(['npx', 'vitest', 'run', ...plan.args], join(folder, 'second.json'));
  if (second.status === 0) tellUnstable(listUnstable(first.report, second.report));
  return second.status;
}

function tellUnstable(names) {
  if (names.length === 0) return;
  const lines = names.map((name) => `${name}\n`).join('');
  console.log(`\nUnstable, passed at the second try:\n${lines}`);
  const path = process.env.INBOARD_UNSTABLE;
  if (path !== undefined) appendFileSync(path, lines);
}

const command = process.argv.slice(2);
if (command.length === 0) {
  console.error('Say what to run: node scripts/run-tests.mjs npm test');
  process.exitCode = 2;
} else {
  try {
    process.exitCode = runTwice(command);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

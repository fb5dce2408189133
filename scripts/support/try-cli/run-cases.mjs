// Runs the end-to-end cases on a CLI with vitest, and gives how each ended.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCases } from './compare-cases.mjs';
import { runProgram } from './run-program.mjs';
import { TrialError } from './trial-error.mjs';

/**
 * `cli` is undefined for the known one, or has the `path` and `version` of one that is tried and which of the two tested ones
 * it is held against (`like`). `cases` narrows the run to those; they run one file after the other then.
 */
export async function runCases(root, { cli, cases, signal }) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-try-'));
  const outputFile = join(folder, 'report.json');
  try {
    const { stderr, stdout } = await runProgram(
      [
        process.execPath,
        join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        '--project=e2e',
        '--reporter=json',
        `--outputFile=${outputFile}`,
        // It is about the oldest CLI, which is not tried here.
        '--exclude=test/e2e/old-cli.test.ts',
        ...narrow(cases),
      ],
      { cwd: root, signal, env: { ...process.env, ...variablesOf(cli) } },
    );
    let report;
    try {
      report = JSON.parse(readFileSync(outputFile, 'utf8'));
    } catch {
      throw new TrialError(`The end-to-end cases could not be run:\n${(stderr || stdout).slice(-2000)}`);
    }
    return readCases(report, { root, version: cli?.version });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function variablesOf(cli) {
  if (cli === undefined) return { INBOARD_TRIED_CLI: undefined };
  return {
    INBOARD_TRIED_CLI: cli.path,
    INBOARD_TRIED_CLI_VERSION: cli.version,
    INBOARD_TRIED_CLI_LIKE: cli.like,
  };
}

function narrow(cases) {
  if (cases === undefined) return [];
  const files = [...new Set(cases.map(({ file }) => file))];
  const titles = cases.map(({ title }) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return [...files, '--maxWorkers=1', `--testNamePattern=(?:${titles.join('|')})$`];
}

// Compares us with the official SDK: past sessions, every option and method on the same recording CLI, the values
// of the constants. The official package is no dependency of this project: it is installed, without its binary, into
// test/official, which has a lockfile of its own.
//   node scripts/compare-official.mjs --install  install only (needs the registry)
//   node scripts/compare-official.mjs            install if need be, then compare
//   node scripts/compare-official.mjs --record   write the official answers down first, for the ordinary tests
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', 'official');

function run(command, commandArguments, { cwd = root, env = {} } = {}) {
  execFileSync(command, commandArguments, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    // npm is a batch file on Windows, which only a shell starts.
    shell: process.platform === 'win32' && command === 'npm',
  });
}

if (!existsSync(join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk'))) {
  run('npm', ['ci', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}
if (process.argv.includes('--install')) process.exit();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const env = process.argv.includes('--record') ? { INBOARD_RECORD: '1' } : {};
run(process.execPath, [vitest, 'run', '--config', join(folder, 'vitest.config.ts')], { env });

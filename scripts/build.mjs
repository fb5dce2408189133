// Builds dist: the types with tsc, then one JavaScript file per door with rolldown. It uses rolldown's API because its
// command prints a table of files on every run, and an install in a clone should print nothing unless something is wrong.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import config from '../rolldown.config.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await build({ ...config, cwd: root, logLevel: 'warn' });

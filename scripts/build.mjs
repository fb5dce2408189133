// Builds dist, or the folder named by INBOARD_BUILD_DIR: the types with tsc, then one JavaScript file per entry point with
// rolldown. It uses rolldown's API because its command prints a table of files on every run, and an install in a clone
// should print nothing unless something is wrong.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import config from '../rolldown.config.mjs';
import { buildPage } from './support/build-page.mjs';
import { hashSources, noteBuild } from './support/built-from.mjs';
import { publishDeclarations } from './support/publish-declarations.mjs';
import { removeUnreachable } from './support/reachable-declarations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const target = resolve(root, config.output.dir);

const isOwn = target === join(root, 'dist');
const builtFrom = hashSources();
if (isOwn) noteBuild(undefined);
rmSync(target, { recursive: true, force: true });
const emitted = join(target, 'emitted');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', emitted], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
publishDeclarations(emitted, target);
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entryPoints = Object.values(exports).flatMap(({ types }) => types ?? []);
removeUnreachable(
  target,
  entryPoints.map((path) => path.replace('./dist/', '')),
);
await Promise.all([
  build({ ...config, cwd: root, logLevel: 'warn' }),
  buildPage(join(target, 'inspector', 'page')),
]);
// npm makes it executable when it installs the package; a project that is linked to this folder has the file as it lies here.
chmodSync(join(target, 'cli', 'main.js'), 0o755);
if (isOwn) noteBuild(builtFrom);

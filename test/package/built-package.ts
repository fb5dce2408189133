// The package as its users get it: compiled into a project of its own, where it is found by its name.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreshBuild, hashSources } from '../../scripts/support/built-from.mjs';
import { PROJECT_NAME, PROJECT_ROOT } from './project.js';

const run = promisify(execFile);
const CACHE = join(PROJECT_ROOT, 'node_modules', '.cache');

/** A project folder in which the built package can be imported. The test that creates it removes it. */
export interface BuiltPackage {
  folder: string;
  remove(): void;
}

/**
 * The package as `npm run build` makes it, in a folder under the project's node_modules, so that development
 * dependencies are found from it, and nothing that other tests use is touched. Sources that have not changed are
 * built once, for however many test files.
 */
export async function buildPackage(): Promise<BuiltPackage> {
  const dist = await buildDist();
  const folder = mkdtempSync(join(CACHE, 'inboard-built-'));
  const home = join(folder, 'node_modules', PROJECT_NAME);
  mkdirSync(home, { recursive: true });
  for (const name of ['package.json', 'schema']) {
    const source = join(PROJECT_ROOT, name);
    if (existsSync(source)) cpSync(source, join(home, name), { recursive: true });
  }
  cpSync(dist, join(home, 'dist'), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The folder `dist` of the present sources, which tests must not write to. Usually an install has just built it. */
export async function buildDist(): Promise<string> {
  const fresh = findFreshBuild();
  if (fresh !== undefined) return fresh;
  mkdirSync(CACHE, { recursive: true });
  const dist = join(CACHE, `inboard-dist-${hashSources()}`);
  if (existsSync(dist)) return dist;
  const draft = mkdtempSync(join(CACHE, 'inboard-draft-'));
  try {
    await build(draft);
    // Another test file may have been faster; then its build is as good.
    if (!existsSync(dist)) renameSync(draft, dist);
    forgetOthers(dist);
  } catch (error) {
    if (!existsSync(dist)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return dist;
}

/** Builds of sources that are no more; one that a test may still be copying is young. */
function forgetOthers(dist: string): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (!name.startsWith('inboard-dist-') || path === dist) continue;
    // Another test file may be clearing up as well.
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** Runs the project's TypeScript compiler in its root; rejects with what it complained about. */
export async function compileTypeScript(compilerArguments: readonly string[]): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(manifest), 'bin', 'tsc');
  const complaint = await run(process.execPath, [compiler, ...compilerArguments], { cwd: PROJECT_ROOT }).then(
    () => undefined,
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  );
  if (complaint !== undefined) throw new Error(`TypeScript complains:\n${complaint}`);
}

/** Runs the project's own build, into another folder. */
async function build(target: string): Promise<void> {
  await run(process.execPath, [join('scripts', 'build.mjs')], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, INBOARD_BUILD_DIR: target },
  });
}

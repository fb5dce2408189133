// The package as its users get it: compiled into a project of its own, where it is found by its name.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_NAME, PROJECT_ROOT } from './project.js';

const run = promisify(execFile);

/** A project folder in which the built package can be imported; whoever creates it removes it. */
export interface BuiltPackage {
  folder: string;
  remove(): void;
}

/**
 * Builds the package as `npm run build` does. The folder lies under the project's node_modules, so that
 * development dependencies are found from it, and nothing that other tests use is touched.
 */
export async function buildPackage(): Promise<BuiltPackage> {
  const cache = join(PROJECT_ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'inboard-built-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const home = join(folder, 'node_modules', PROJECT_NAME);
  mkdirSync(home, { recursive: true });
  copyFileSync(join(PROJECT_ROOT, 'package.json'), join(home, 'package.json'));
  try {
    await compileTypeScript(['-p', 'tsconfig.build.json', '--outDir', join(home, 'dist')]);
    await bundle(join(home, 'dist'));
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
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

/** Bundles the JavaScript as the build does, into another folder. */
async function bundle(outDir: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('rolldown/package.json');
  const bundler = join(dirname(manifest), 'bin', 'cli.mjs');
  await run(process.execPath, [bundler, '-c', '--log-level', 'warn'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, INBOARD_BUILD_DIR: outDir },
  });
}

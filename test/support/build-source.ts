// Compiles sources for tests that need them in a process of their own: Node 20 runs no TypeScript.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPath, publishEmitted } from '../../scripts/support/publish-emitted.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder with the compiled file and all it imports, laid out as in the published package. */
export interface BuiltSource {
  folder: string;
  /** The compiled file itself. */
  file: string;
  remove(): void;
}

/** Compiles a source, given by its path below `packages`, and others beside it: one run of the compiler for all of them. */
export function buildSource(entry: string, ...others: readonly string[]): BuiltSource {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-build-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const files = [entry, ...others].map((file) => join(ROOT, 'packages', file));
  const emitted = join(folder, 'emitted');
  const places = ['--rootDir', join(ROOT, 'packages'), '--outDir', emitted, ...files];
  // The types are checked elsewhere.
  execFileSync(process.execPath, [compiler, ...flags, '--skipLibCheck', '--noCheck', ...places], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  publishEmitted(emitted, folder);
  const file = join(folder, publishedPath(entry).replace(/\.ts$/, '.js'));
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

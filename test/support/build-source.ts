// Compiles sources for tests that need them in a process of their own: Node 20 runs no TypeScript.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder with the compiled file and all it imports, laid out as in `src`. */
export interface BuiltSource {
  folder: string;
  /** The compiled file itself. */
  file: string;
  remove(): void;
}

/** Compiles a file of `src`, given by its path from there, and others beside it: one run of the compiler for all of them. */
export function buildSource(entry: string, ...others: readonly string[]): BuiltSource {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-build-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const files = [entry, ...others].map((file) => join(ROOT, 'src', file));
  const places = ['--rootDir', join(ROOT, 'src'), '--outDir', folder, ...files];
  // The types are checked elsewhere.
  execFileSync(process.execPath, [compiler, ...flags, '--skipLibCheck', '--noCheck', ...places], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const file = join(folder, entry.replace(/\.ts$/, '.js'));
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

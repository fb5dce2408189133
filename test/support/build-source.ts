// Builds sources for tests that need them in a process of their own: Node 20 runs no TypeScript.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPath } from '../../scripts/support/publish-declarations.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `
  import { build } from 'rolldown';
  const [dir, input] = process.argv.slice(1);
  await build({
    input: JSON.parse(input),
    platform: 'node',
    logLevel: 'warn',
    external: (id) => !/^[./]|^@inboard\\//.test(id),
    output: { dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
  });
`;

/** A folder with the built files, laid out as in the published package. */
export interface BuiltSource {
  folder: string;
  /** The first file itself. */
  file: string;
  remove(): void;
}

/** Builds a source, given by its path below `packages`, and others beside it, which share what they import. */
export function buildSource(entry: string, ...others: readonly string[]): BuiltSource {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-build-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const named = (path: string): string => publishedPath(path).replace(/\.ts$/, '');
  const input = Object.fromEntries(
    [entry, ...others].map((path) => [named(path), join(ROOT, 'packages', path)]),
  );
  execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, folder, JSON.stringify(input)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const file = join(folder, `${named(entry)}.js`);
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

// The tables of the sources that the pages are made from. They are TypeScript, which Node does not read: they are bundled into
// a file of the cache and imported from there.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const TABLES = {
  errors: 'packages/core/src/errors/error-guide.ts',
  warnings: 'packages/core/src/options/check/warning-guide.ts',
  options: 'packages/core/src/options/rows/option-rows.ts',
  controls: 'packages/core/src/live/controls/control-table.ts',
  changes: 'packages/cli/src/migrate/surface-changes.ts',
};

/** Everything that the files with tables export, in one object. */
export async function loadTables() {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'inboard-tables-'));
  try {
    await build({
      cwd: root,
      logLevel: 'warn',
      input: TABLES,
      platform: 'node',
      external: [/^node:/, '@cfworker/json-schema'],
      output: {
        dir: folder,
        format: 'esm',
        entryFileNames: '[name].mjs',
        chunkFileNames: 'shared-[hash].mjs',
      },
    });
    const modules = Object.keys(TABLES).map(
      (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href),
    );
    return Object.assign({}, ...(await Promise.all(modules)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

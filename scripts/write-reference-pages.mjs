// Writes the pages that are made from the sources, docs/errors.md and docs/options.md with their parts and docs/surface.md, and in other pages
// the way to install.
//   node scripts/write-reference-pages.mjs           write them
//   node scripts/write-reference-pages.mjs --check   exit with 1 where one is not what it would write
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTables } from './support/reference/load-tables.mjs';
import { fillInstallPart, INSTALL_PAGES, PUBLICATION } from './support/release/publication.mjs';
import { buildReferenceFiles } from './support/reference/reference-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const installPages = INSTALL_PAGES.map((path) => [
  path,
  fillInstallPart(readFileSync(join(root, path), 'utf8'), PUBLICATION),
]);
for (const [path, text] of [...Object.entries(buildReferenceFiles(await loadTables())), ...installPages]) {
  if (!values.check) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`${path}: ${Buffer.byteLength(text)} bytes`);
  } else if (readFileSync(join(root, path), 'utf8') !== text) {
    console.log(`${path} is not what the sources make: run node scripts/write-reference-pages.mjs`);
    process.exitCode = 1;
  }
}

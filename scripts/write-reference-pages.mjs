// Writes the pages that are made from the sources, docs/errors.md and docs/options.md with their parts and docs/surface.md, and in other pages
// the way to install; from the data of the comparison, its page and the README's table.
//   node scripts/write-reference-pages.mjs           write them
//   node scripts/write-reference-pages.mjs --check   exit with 1 where one is not what it would write
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildComparisonPage, fillComparisonPart } from './support/peers/comparison-page.mjs';
import { loadTables } from './support/reference/load-tables.mjs';
import { fillInstallPart, INSTALL_PAGES, PUBLICATION } from './support/release/publication.mjs';
import { buildReferenceFiles } from './support/reference/reference-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const read = (path) => readFileSync(join(root, path), 'utf8');
const comparison = JSON.parse(read('test/peers/comparison.json'));
const pages = {
  ...buildReferenceFiles(await loadTables()),
  'docs/comparison.md': buildComparisonPage(comparison, read('scripts/support/peers/comparison-opening.md')),
};
for (const path of INSTALL_PAGES) pages[path] = fillInstallPart(read(path), PUBLICATION);
pages['README.md'] = fillComparisonPart(pages['README.md'], comparison);
for (const [path, text] of Object.entries(pages)) {
  if (!values.check) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`${path}: ${Buffer.byteLength(text)} bytes`);
  } else if (!existsSync(join(root, path)) || read(path) !== text) {
    console.log(`${path} is not what the sources make: run node scripts/write-reference-pages.mjs`);
    process.exitCode = 1;
  }
}

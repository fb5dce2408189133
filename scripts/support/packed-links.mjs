// Checks the links and the pictures on the pages of a package. A user who installed it can follow only links to files in the package.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listPictures } from './packed-pictures.mjs';
import { listAnchors } from './site/markdown.mjs';

const LINK = /\]\(([^)\s]+)\)/g;
const CODE_BLOCK = /^ *```.*?^ *```$/gms;

/** Every link on a page below `folder` that leads to no file of it, or to no heading of that file, as "page: link"; and pictures that are not there. */
export function findBrokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return pages.flatMap((page) => [
    ...listPictures(page, readPage(join(folder, page)))
      .filter((picture) => !existsSync(join(folder, picture)))
      .map((picture) => `${page}: ${picture}`),
    ...Array.from(readPage(join(folder, page)).matchAll(LINK), ([, link]) => link)
      .filter((link) => !/^\w+:/.test(link) && !isThere(join(folder, page), link))
      .map((link) => `${page}: ${link}`),
  ]);
}

function isThere(page, link) {
  const [path, heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return heading === undefined || listAnchors(readFileSync(target, 'utf8')).has(heading);
}

function readPage(path) {
  return readFileSync(path, 'utf8').replaceAll(CODE_BLOCK, '');
}

// Pictures on the pages of the package. Most are only in the repository: a page in the package that showed them would show a gap.
import { posix } from 'node:path';

const PICTURE = /^<picture>[\s\S]*?<\/picture>\n+|^<img [^>]*>\n+/gm;
const SOURCE = /\bsrc(?:set)?="([^"]+)"/g;

/** The files that a page shows, relative to the package's folder; addresses elsewhere are none. */
export function listPictures(path, page) {
  return Array.from(page.matchAll(SOURCE), ([, source]) => source)
    .filter((source) => !/^\w+:/.test(source))
    .map((source) => posix.join(posix.dirname(path), source));
}

/** The page without the pictures that are not among the packed files. */
export function leaveOutPictures(path, page, packed) {
  return page.replace(PICTURE, (html) =>
    listPictures(path, html).every((source) => packed.has(source)) ? html : '',
  );
}

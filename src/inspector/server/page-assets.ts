// The built page: its script and its style, as the build leaves them beside the package's code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the page consists of. */
export interface PageAssets {
  script: string;
  style: string;
}

/** From the bundles, which lie in folders of `dist`. */
const BUILT = fileURLToPath(new URL('../inspector/page/', import.meta.url));

/** Reads the page from the folder it was built into. */
export function readPageAssets(folder: string = BUILT): PageAssets {
  return {
    script: readFileSync(join(folder, 'page.js'), 'utf8'),
    style: readFileSync(join(folder, 'page.css'), 'utf8'),
  };
}

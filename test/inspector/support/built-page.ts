// The page as it is in the sources now, built once for each state of them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../package/project.js';
import { buildPage } from '../../../scripts/support/build-page.mjs';

const SOURCES = ['src/inspector', 'src/record/trace/timeline', 'src/util', 'src/wire/protocol'];

/** The folder with the built page. */
export async function buildPageOnce(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const folder = join(PROJECT_ROOT, source);
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(?:ts|tsx|css)$/.test(path)) hash.update(path).update(readFileSync(join(folder, path)));
  }
  const name = hash.digest('hex').slice(0, 16);
  const folder = join(PROJECT_ROOT, 'node_modules', '.cache', 'inboard-page', name);
  if (!existsSync(join(folder, 'LICENSES.txt'))) await buildPage(folder);
  return folder;
}

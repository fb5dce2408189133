// The page as it is in the sources now, built once for each state of them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../../../test/package/project.js';
import { buildPage } from '../../../../scripts/support/build-page.mjs';

const SOURCES = [
  'packages/inspector/src',
  'packages/core/src/record/trace/timeline',
  'packages/core/src/util',
  'packages/core/src/wire/protocol',
];

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
  if (!existsSync(folder)) await buildInto(folder);
  return folder;
}

/** Test files run side by side, so the folder appears only when it is complete, and is never written again. */
async function buildInto(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-draft-`);
  try {
    await buildPage(draft);
    // Another test file may have been faster; then its build is as good.
    if (!existsSync(folder)) renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

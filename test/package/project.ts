// Where the project is and what is written in it, for tests about the project as a whole.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blankCode } from '../../scripts/support/site/markdown.mjs';
import { listParts } from '../../scripts/support/site/page-parts.mjs';

interface PackageManifest {
  name: string;
  exports: Record<string, unknown>;
  scripts: Record<string, string>;
}

/** The project's root, without a slash at the end. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** The parsed package.json. */
export const MANIFEST = JSON.parse(readProjectFile('package.json')) as PackageManifest;

export const PROJECT_NAME = MANIFEST.name;

/** The text of a file named from the project's root; a missing one is an error that says so. */
export function readProjectFile(path: string): string {
  const absolute = join(PROJECT_ROOT, path);
  if (!existsSync(absolute)) throw new Error(`${path} does not exist, and this test is about it. Write it.`);
  return readFileSync(absolute, 'utf8');
}

/** The text of a page of docs with all of its parts, each of them as a section of the page. */
export function readWholePage(path: string): string {
  const parts = listParts(PROJECT_ROOT, path).map((part) =>
    lowerHeadings(readProjectFile(part).replace(/^(?:Next: .*)?Overview: .*\n$/m, '')),
  );
  return [readProjectFile(path), ...parts].join('\n');
}

function lowerHeadings(page: string): string {
  // A comment in a shell program looks like a heading.
  const prose = blankCode(page).split('\n');
  return page
    .split('\n')
    .map((line, index) => (prose[index]?.startsWith('#') ? `#${line}` : line))
    .join('\n');
}

/** The names of the folders in `packages`. */
export const PACKAGES = readdirSync(join(PROJECT_ROOT, 'packages')).toSorted();

/** Every file in a folder, by its path from the project's root with forward slashes. */
export function listProjectFiles(folder: string): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(PROJECT_ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Every TypeScript file in the `src` folder of a package, by its path from the project's root with forward slashes. */
export function readSourceFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of PACKAGES) {
    for (const path of listProjectFiles(`packages/${name}/src`))
      if (/\.tsx?$/.test(path)) files.set(path, readProjectFile(path));
  }
  return files;
}

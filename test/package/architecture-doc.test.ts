// docs/architecture.md tells where things are; what it tells must be there.
import { describe, expect, it } from 'vitest';
import { PACKAGES, readProjectFile, readSourceFiles } from './project.js';

const DOCUMENT = 'docs/architecture.md';

/** The page leaves out `packages` and `src`: `core/live/launch.ts` is `packages/core/src/live/launch.ts`. */
function readNamedPaths(): string[] {
  const text = readProjectFile(DOCUMENT);
  const short = new RegExp(`\`(${PACKAGES.join('|')})/([^\`\\s]+)\``, 'g');
  return (
    [...text.matchAll(short)]
      // `inboard/testing` is an entry point by the name that users import.
      .filter(([, name, path]) => name !== 'inboard' || path?.endsWith('.ts'))
      .map(([, name, path]) => `packages/${name}/src/${path}`)
  );
}

describe(DOCUMENT, () => {
  const files = [...readSourceFiles().keys()];

  it('names only files and folders that exist', () => {
    const missing = readNamedPaths().filter((path) =>
      /\.tsx?$/.test(path)
        ? !files.includes(path)
        : !files.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('names every package, and every folder in the sources of the core', () => {
    const named = readNamedPaths();
    const ofCore = files.flatMap((path) => /^packages\/core\/src\/[^/]+\//.exec(path) ?? []);
    const unnamed = [...new Set(ofCore)].filter(
      (folder) => !named.some((path) => `${path}/`.startsWith(folder)),
    );
    expect(unnamed).toEqual([]);
    const text = readProjectFile(DOCUMENT);
    expect(PACKAGES.filter((name) => name !== 'core' && !text.includes(`| \`packages/${name}\` |`))).toEqual(
      [],
    );
  });
});

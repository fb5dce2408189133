// docs/architecture.md tells where things are; what it tells must be there.
import { describe, expect, it } from 'vitest';
import { PACKAGES, readProjectFile, readSourceFiles } from './project.js';

const DOCUMENT = 'docs/architecture.md';

function readNamedPaths(): string[] {
  const text = readProjectFile(DOCUMENT);
  return Array.from(text.matchAll(/`(packages\/\w+\/src(?:\/[^`\s]*)?)`/g), ([, path = '']) => path);
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
    const folders = new Set([...PACKAGES.map((name) => `packages/${name}/`), ...ofCore]);
    const unnamed = [...folders].filter((folder) => !named.some((path) => `${path}/`.startsWith(folder)));
    expect(unnamed).toEqual([]);
  });
});

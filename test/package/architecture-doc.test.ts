// docs/architecture.md tells where things are; what it tells must be there.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile, readSourceFiles } from './project.js';

const DOCUMENT = 'docs/architecture.md';

function readNamedPaths(): string[] {
  const text = readProjectFile(DOCUMENT);
  return Array.from(text.matchAll(/`(src\/[^`\s]*)`/g), ([, path = '']) => path);
}

describe(DOCUMENT, () => {
  it('names only files and folders that exist', () => {
    const files = [...readSourceFiles().keys()];
    const missing = readNamedPaths().filter((path) =>
      /\.tsx?$/.test(path)
        ? !files.includes(path)
        : !files.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('names every room', () => {
    const named = readNamedPaths();
    const entries = readdirSync(join(PROJECT_ROOT, 'src'), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map((entry) => `src/${entry.name}/`);
    const unnamed = rooms.filter((room) => !named.some((path) => `${path}/`.startsWith(room)));
    expect(unnamed).toEqual([]);
  });
});

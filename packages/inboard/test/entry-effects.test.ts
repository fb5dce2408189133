// Entry points that start sessions say, when they are loaded, how INBOARD_INSPECT opens the inspector. A bundler that takes
// such a file for one without effects would leave that out, so package.json names exactly these files.
import { describe, expect, it } from 'vitest';
import { readImports, resolveImport } from '../../../test/package/import-graph.js';
import { MANIFEST, readProjectFile, readSourceFiles } from '../../../test/package/project.js';

const SESSIONS = 'packages/core/src/live/watch/inspect-if-asked.ts';
const files = readSourceFiles();
const { sideEffects } = JSON.parse(readProjectFile('package.json')) as { sideEffects: string[] };

const entries = Object.values(MANIFEST.exports).flatMap((entry) => {
  const built = (entry as { default?: string }).default;
  return built?.endsWith('.js') ? [built] : [];
});
const starting = [...new Set(entries)].filter((built) => reaches(sourceOf(built), SESSIONS));

describe('entry points that start sessions', () => {
  it('are those that package.json names for their effect', () => {
    expect(starting).toContain('./dist/entry/index.js');
    expect(sideEffects.toSorted()).toEqual(starting.toSorted());
  });

  it.each(starting)('register the inspector: %s', (built) => {
    expect(files.get(sourceOf(built))).toContain('\nregisterInspector(openInspector);\n');
  });
});

function sourceOf(built: string): string {
  return built.replace('./dist/entry/', 'packages/inboard/src/').replace(/\.js$/, '.ts');
}

/** Whether loading a file, and what it loads later, comes to another. */
function reaches(from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return readImports(files.get(from) ?? '').some(({ specifier, isTypeOnly }) => {
    const target = isTypeOnly ? undefined : resolveImport(files, from, specifier);
    return target !== undefined && reaches(target, to, seen);
  });
}

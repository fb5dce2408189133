// Which tests run in which project of vitest.config.ts: those that build the whole package have one of their own.
import { describe, expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { findReached } from '../../scripts/support/reach/file-reach.mjs';
import { readTree } from '../../scripts/support/reach/read-tree.mjs';
import { MANIFEST, PROJECT_ROOT } from './project.js';

const projects = (config.test?.projects ?? []).flatMap((project) =>
  typeof project === 'object' && 'test' in project && project.test ? [project.test] : [],
);
const { files } = readTree(PROJECT_ROOT);
// Examples and templates are projects of their own.
const tests = [...files.keys()].filter((path) => /^(?:packages|test)\/.*\.test\.ts$/.test(path));
const BUILDER = 'test/package/built-package.ts';

/** The patterns of the configuration have only stars. */
function matches(path: string, pattern: string): boolean {
  const source = pattern
    .replaceAll('.', String.raw`\.`)
    .replaceAll('**/', '(?:.+/)?')
    .replaceAll('**', '.+')
    .replaceAll(/(?<!\.)\*/g, '[^/]*');
  return new RegExp(`^${source}$`).test(path);
}

function projectsOf(path: string): string[] {
  const isIn = (patterns: readonly string[] = []): boolean =>
    patterns.some((pattern) => matches(path, pattern));
  return projects
    .filter(({ include, exclude }) => isIn(include) && !isIn(exclude))
    .map(({ name }) => (typeof name === 'string' ? name : (name?.label ?? '')));
}

describe('the projects of tests', () => {
  it('have each test once', () => {
    const others = tests.filter((path) => projectsOf(path).length !== 1);
    expect(others.map((path) => `${path}: ${projectsOf(path).join(', ') || 'no project'}`)).toEqual([]);
  });

  it('keep those that build the package out of `unit`', () => {
    const reached = findReached({ files, changed: [BUILDER] });
    // This file names it, and does not import it.
    const building = tests.filter((path) => reached.has(path) && !import.meta.url.endsWith(path));
    expect(building.length).toBeGreaterThan(5);
    expect(building.filter((path) => projectsOf(path).includes('unit'))).toEqual([]);
  });

  it('have none in `built` that does not build', () => {
    const reached = findReached({ files, changed: [BUILDER] });
    expect(tests.filter((path) => projectsOf(path).includes('built') && !reached.has(path))).toEqual([]);
  });

  it('are run by npm test and npm run test:unit', () => {
    for (const name of ['unit', 'apart', 'built']) {
      expect(MANIFEST.scripts['test']).toContain(`--project ${name}`);
      expect(MANIFEST.scripts['test:unit']).toContain(`--project ${name}`);
    }
  });
});

// Where files went when the sources became packages. Older pages and discussions name paths from before; the map leads from
// them to what is there now, so a later move changes the map, too.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from './project.js';

const MAP = 'docs/decisions/2026-11-18-packages-paths.json';
const { folders, files } = JSON.parse(readProjectFile(MAP)) as Record<
  'folders' | 'files',
  Record<string, string>
>;

it.each(Object.entries(folders))('%s is a folder now: %s', (from, to) => {
  expect(from, 'a folder ends with a slash').toMatch(/\/$/);
  expect(statSync(join(PROJECT_ROOT, to)).isDirectory()).toBe(true);
});

it('leads from each file to one that is there', () => {
  expect(Object.entries(files).filter(([, to]) => !existsSync(join(PROJECT_ROOT, to)))).toEqual([]);
});

it('names no file that is still at its old place', () => {
  expect(
    Object.keys({ ...folders, ...files }).filter((from) => existsSync(join(PROJECT_ROOT, from))),
  ).toEqual([]);
});

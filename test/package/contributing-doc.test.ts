// The recipes of CONTRIBUTING.md name the files a change touches; what they name must be there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from './project.js';

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
  const [, text = ''] = readProjectFile('CONTRIBUTING.md').split('\n## Recipes\n');
  const sections = text.split(/^### /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n');
      const paths = section.matchAll(/`((?:packages|test|docs|scripts)\/[^`\s]*|[\w.-]+\.(?:md|json))`/g);
      return [title, Array.from(paths, ([, path = '']) => path)];
    }),
  );
}

describe('the recipes of CONTRIBUTING.md', () => {
  const recipes = readRecipes();

  it('are those people look for', () => {
    expect([...recipes.keys()]).toEqual(RECIPES);
  });

  it.each(RECIPES)('"%s" names files that exist, a source and a test among them', (title) => {
    const paths = recipes.get(title) ?? [];
    expect(paths.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
    expect(paths.some((path) => /^(?:packages\/\w+\/src|scripts)\//.test(path))).toBe(true);
    expect(paths.some((path) => /^(?:packages\/\w+\/)?test\//.test(path))).toBe(true);
  });
});

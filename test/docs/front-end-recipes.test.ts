// The recipes of docs/front-ends/recipes.md are the very files that scripts/run-front-ends.mjs runs.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { readCodeBlocks } from '../package/code-blocks.js';
import { PROJECT_ROOT, readProjectFile } from '../package/project.js';

const FOLDER = 'test/front-ends/recipes';
const files = readdirSync(join(PROJECT_ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
  // What Next wants around a route is no part of the recipe.
  .filter((name) => /\.(?:mjs|js|tsx)$/.test(name))
  .toSorted();
const blocks = readCodeBlocks(readProjectFile('docs/front-ends/recipes.md')).map(({ code }) => code);

it('has recipes', () => {
  expect(files.map((file) => basename(file))).toEqual([
    'bun.mjs',
    'chat-page.tsx',
    'chat.mjs',
    'deno.mjs',
    'express.mjs',
    'hono.mjs',
    'route.js',
    'node.mjs',
  ]);
});

it.each(files)('shows %s as it is run', (file) => {
  expect(blocks).toContain(readProjectFile(join(FOLDER, file)));
});

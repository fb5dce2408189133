// A message type, the types of a hook event or a content block are public as soon as they exist: the entry point must list them, or the one for parts of types.
import { expect, it } from 'vitest';
import { readSourceFiles } from '../package/project.js';

const files = readSourceFiles();
const entryPoint = ['index', 'types'].map((name) => files.get(`packages/inboard/src/${name}.ts`)).join('\n');

function namesIn(folder: string, name: RegExp): string[] {
  const texts = [...files].filter(([path]) => path.startsWith(folder)).map(([, text]) => text);
  return texts.flatMap((text) =>
    [...text.matchAll(/^export type (\w+)/gm)]
      .map(([, found = '']) => found)
      .filter((found) => name.test(found)),
  );
}

it.each([
  ['messages', /^SDK/],
  ['hooks', /Hook(Input|SpecificOutput)$/],
])('the entry point exports all public types of protocol/%s', (shelf, name) => {
  const names = namesIn(`packages/core/src/wire/protocol/${shelf}/`, name);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((found) => !new RegExp(`\\b${found}\\b`).test(entryPoint))).toEqual([]);
});

it('the entry point exports all content blocks of tools', () => {
  const text = files.get('packages/core/src/answer/mcp/result/tool-content.ts') ?? '';
  const [, union = ''] = /export type ToolContent =([^;]+);/.exec(text) ?? [];
  const names = union.match(/\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((found) => !new RegExp(`\\b${found}\\b`).test(entryPoint))).toEqual([]);
});

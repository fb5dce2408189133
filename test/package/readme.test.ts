// The README is what people try first: its code must run and its commands must exist.
import { describe, expect, it } from 'vitest';
import { readCodeBlocks } from './code-blocks.js';
import { describePrograms } from './document-programs.js';
import { MANIFEST, readProjectFile } from './project.js';
import { fillSchema } from './willing-model.js';

describe('README.md', () => {
  describePrograms('README.md');

  it('names only npm scripts that exist', () => {
    expect(findMissingScripts(readProjectFile('README.md'), MANIFEST.scripts)).toEqual([]);
  });
});

function findMissingScripts(text: string, scripts: Readonly<Record<string, string>>): string[] {
  const runs = Array.from(text.matchAll(/\bnpm (?:run|run-script) ([\w:.-]*\w)/g), ([, name = '']) => name);
  const short = Array.from(text.matchAll(/\bnpm (test|start|stop)\b/g), ([, name = '']) => name);
  return [...runs, ...short].filter((name) => !Object.hasOwn(scripts, name));
}

describe('findMissingScripts', () => {
  it('finds the commands that package.json does not have', () => {
    const text =
      'Run `npm run build`, then `npm run test:all`.\n```sh\nnpm test\nnpm start\nnpm install\n```\n';
    expect(findMissingScripts(text, { build: '', test: '' })).toEqual(['test:all', 'start']);
  });
});

describe('readCodeBlocks', () => {
  it('reads language, code and line of each block', () => {
    const text =
      'a\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n- item\n  ~~~~js title\n  ```\n    go();\n  ~~~~\n```\n```\n';
    expect(readCodeBlocks(text)).toEqual([
      { language: 'ts', code: 'const a = 1;\n\nconst b = 2;\n', line: 3 },
      { language: 'js', code: '```\n  go();\n', line: 10 },
      { language: '', code: '', line: 14 },
    ]);
  });

  it('refuses a block without an end', () => {
    expect(() => readCodeBlocks('```ts\nconst a = 1;\n')).toThrow('line 2');
  });
});

describe('fillSchema', () => {
  it('makes an object of what is required', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 3 },
        unit: { enum: ['celsius', 'fahrenheit'] },
        either: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        list: { type: 'array', minItems: 1, items: { type: 'number' } },
        left: { type: 'string' },
      },
      required: ['city', 'days', 'unit', 'either', 'list'],
    };
    expect(fillSchema(schema)).toEqual({
      city: 'example',
      days: 3,
      unit: 'celsius',
      either: true,
      list: [1],
    });
  });
});

// The README is what people try first: its code must run and its commands must exist. TypeScript is checked
// against the built declarations; each block runs alone, as a process, with the real CLI and a scripted model.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createIsolatedEnvironment, startScriptedModel } from '../../src/testing/index.js';
import { buildPackage, compileTypeScript, type BuiltPackage } from './built-package.js';
import { readCodeBlocks, type CodeBlock } from './code-blocks.js';
import { MANIFEST, PROJECT_ROOT, readProjectFile } from './project.js';
import { answerWillingly, fillSchema } from './willing-model.js';

const BUILD_TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 60_000;

const readme = existsSync(join(PROJECT_ROOT, 'README.md')) ? readProjectFile('README.md') : '';
const programs = readCodeBlocks(readme).filter(({ language }) =>
  /^(?:ts|js|mjs|typescript|javascript)$/.test(language),
);

interface Finished {
  exitCode: number | string | null | undefined;
  output: string;
}

let preparing: Promise<BuiltPackage> | undefined;

afterAll(async () => {
  // A failed build has failed the tests that needed it, and left nothing to remove.
  const built = await preparing?.catch(() => undefined);
  built?.remove();
});

function isTypeScript({ language }: CodeBlock): boolean {
  return language.startsWith('t');
}

function nameBlock({ line }: CodeBlock): string {
  return `readme-line-${line}`;
}

// One build and one compilation for all blocks, so that a type error names its block and line.
async function preparePrograms(): Promise<BuiltPackage> {
  const built = await buildPackage();
  const output = join(built.folder, 'programs');
  mkdirSync(output);
  writeFileSync(join(built.folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'programs',
  };
  const files: string[] = [];
  for (const block of programs) {
    const name = nameBlock(block);
    if (isTypeScript(block)) files.push(`${name}.ts`);
    // A block without imports is a program all the same.
    const code = isTypeScript(block) ? `${block.code}export {};\n` : block.code;
    writeFileSync(isTypeScript(block) ? join(built.folder, `${name}.ts`) : join(output, `${name}.js`), code);
  }
  if (files.length > 0) {
    const config = join(built.folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    try {
      await compileTypeScript(['-p', config]);
    } catch (error) {
      built.remove();
      throw error;
    }
  }
  return built;
}

async function runProgram(block: CodeBlock): Promise<Finished> {
  preparing ??= preparePrograms();
  const { folder } = await preparing;
  const model = await startScriptedModel({ onExhausted: answerWillingly });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  try {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(folder, 'programs', `${nameBlock(block)}.js`)],
        { cwd: home.cwd, env: home.env, timeout: RUN_TIMEOUT_MS, killSignal: 'SIGKILL' },
        (error, stdout, stderr) => {
          resolve({ exitCode: error ? (error.code ?? error.signal) : 0, output: `${stdout}${stderr}` });
        },
      ).stdin?.end();
    });
  } finally {
    await model.close();
    await home.remove();
  }
}

describe('README.md', () => {
  it('exists and shows code', () => {
    expect(readme, 'README.md is missing or empty').not.toBe('');
    expect(programs.length, 'README.md has no ts or js block').toBeGreaterThan(0);
  });

  it.each(programs.map((block) => [block.line, block] as const))(
    'runs the code at line %i',
    async (_, block) => {
      const { exitCode, output } = await runProgram(block);
      expect(exitCode, output).toBe(0);
    },
    BUILD_TIMEOUT_MS + RUN_TIMEOUT_MS,
  );

  it('names only npm scripts that exist', () => {
    expect(findMissingScripts(readme, MANIFEST.scripts)).toEqual([]);
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

// The code of docs/sessions.md and its parts, checked against the built declarations and run with the real CLI.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createIsolatedEnvironment,
  sessionStoreCases,
  startScriptedModel,
} from '../../packages/inboard/src/testing.js';
import { buildPackage, compileTypeScript, type BuiltPackage } from '../package/built-package.js';
import { readCodeBlocks } from '../package/code-blocks.js';
import { readWholePage } from '../package/project.js';
import { answerWillingly } from '../package/willing-model.js';

const TIMEOUT_MS = 120_000;

const programs = readCodeBlocks(readWholePage('docs/sessions.md')).map(({ code, line, language }) => ({
  // A block that other blocks import says its name in the first line.
  name: /^\/\/ (\S+)\.ts\n/.exec(code)?.[1] ?? `line-${line}`,
  code,
  line,
  language,
}));

let preparing: Promise<BuiltPackage> | undefined;

afterAll(async () => {
  const built = await preparing?.catch(() => undefined);
  built?.remove();
});

async function preparePrograms(): Promise<BuiltPackage> {
  const built = await buildPackage();
  try {
    mkdirSync(join(built.folder, 'programs'));
    writeFileSync(join(built.folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    for (const { name, code } of programs) writeFileSync(join(built.folder, `${name}.ts`), code);
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      rootDir: '.',
      outDir: 'programs',
    };
    const config = join(built.folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions, files: programs.map(({ name }) => `${name}.ts`) }),
    );
    await compileTypeScript(['-p', config]);
  } catch (error) {
    built.remove();
    throw error;
  }
  return built;
}

async function runProgram(name: string): Promise<{ exitCode: unknown; stdout: string; stderr: string }> {
  preparing ??= preparePrograms();
  const { folder } = await preparing;
  const model = await startScriptedModel({ onExhausted: answerWillingly });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  try {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(folder, 'programs', `${name}.js`)],
        { cwd: home.cwd, env: home.env, timeout: 60_000, killSignal: 'SIGKILL' },
        (error, stdout, stderr) => {
          resolve({ exitCode: error ? (error.code ?? error.signal) : 0, stdout, stderr });
        },
      ).stdin?.end();
    });
  } finally {
    await model.close();
    await home.remove();
  }
}

describe('docs/sessions.md', () => {
  it('shows code in TypeScript only', () => {
    expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(['ts']));
    expect(programs.map(({ name }) => name)).toContain('folder-store');
  });

  it.each(programs)(
    'runs the code at line $line',
    async ({ name, code }) => {
      const { exitCode, stdout, stderr } = await runProgram(name);
      expect(exitCode, `${stdout}${stderr}`).toBe(0);
      expect(stderr, 'nothing was lost or not stored').toBe('');
      if (!code.includes('describeSessionStore')) return;
      const required = sessionStoreCases().filter(({ needs }) => needs.length === 0);
      expect(required.filter(({ name: each }) => !stdout.includes(each))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

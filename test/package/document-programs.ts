// The code on a page of documentation, as programs: TypeScript is checked against the built declarations, and each
// block runs alone, as a process, with the real CLI and a model that goes along with anything. The pages of one test
// file share one package and one compilation.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createIsolatedEnvironment, startScriptedModel } from '../../packages/inboard/src/testing.js';
import { buildPackage, compileTypeScript, type BuiltPackage } from './built-package.js';
import { isProgramLanguage, readBlockName, readCodeBlocks, type CodeBlock } from './code-blocks.js';
import { readProjectFile } from './project.js';
import { answerWillingly } from './willing-model.js';

const BUILD_TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 60_000;

/** A block that is a program, or that programs of the same page import by the name in its first line. */
interface Program extends CodeBlock {
  /** The page's folder among the programs. */
  folder: string;
  /** Without its ending. */
  name: string;
  isTypeScript: boolean;
  /** Whether it is run, or only there to be imported. */
  isRun: boolean;
}

interface Finished {
  exitCode: number | string | null | undefined;
  output: string;
}

/** What the pages of a test file share: they are all declared before the first block runs. */
interface Shared {
  programs: Program[];
  pages: number;
  preparing?: Promise<BuiltPackage>;
}
let shared: Shared = { programs: [], pages: 0 };

/**
 * Declares a test for every ts and js block of a page, given by its path in the project. A first line `// tools.ts` names a
 * block for others to import; such a block is compiled and not run.
 */
export function describePrograms(page: string): void {
  const programs = readPrograms(page);
  const ours = shared;
  ours.programs.push(...programs);
  ours.pages += 1;

  afterAll(async () => {
    ours.pages -= 1;
    if (ours.pages > 0) return;
    shared = { programs: [], pages: 0 };
    // A failed build has failed the tests that needed it, and left nothing to remove.
    const built = await ours.preparing?.catch(() => undefined);
    built?.remove();
  });

  it.concurrent(`${page} shows code`, () => {
    expect(programs.length, `${page} has no ts or js block`).toBeGreaterThan(0);
  });

  it.concurrent.each(
    programs.filter(({ isRun }) => isRun).map((program) => [program.line, program] as const),
  )(
    `${page}, line %i`,
    async (_, program) => {
      ours.preparing ??= preparePrograms(ours.programs);
      const { exitCode, output } = await runProgram(await ours.preparing, program);
      expect(exitCode, output).toBe(0);
    },
    BUILD_TIMEOUT_MS + RUN_TIMEOUT_MS,
  );
}

function readPrograms(page: string): Program[] {
  return readCodeBlocks(readProjectFile(page))
    .filter(({ language }) => isProgramLanguage(language))
    .map((block) => {
      const named = readBlockName(block);
      return {
        ...block,
        folder: page.replace(/\.md$/, '').replaceAll('/', '-'),
        name: named?.replace(/\.\w+$/, '') ?? `line-${block.line}`,
        isTypeScript: block.language.startsWith('t'),
        isRun: named === undefined,
      };
    });
}

/** One compilation for all blocks of all pages; a type error names page, block and line. */
async function preparePrograms(programs: readonly Program[]): Promise<BuiltPackage> {
  const built = await buildPackage();
  try {
    writeFileSync(join(built.folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    for (const { folder, name, code, isTypeScript } of programs) {
      const place = isTypeScript ? join(built.folder, folder) : join(built.folder, 'programs', folder);
      mkdirSync(place, { recursive: true });
      // A block without imports is a program all the same.
      writeFileSync(
        join(place, `${name}.${isTypeScript ? 'ts' : 'js'}`),
        isTypeScript ? `${code}export {};\n` : code,
      );
    }
    await compilePrograms(built.folder, programs);
  } catch (error) {
    built.remove();
    throw error;
  }
  return built;
}

async function compilePrograms(root: string, programs: readonly Program[]): Promise<void> {
  const files = programs
    .filter(({ isTypeScript }) => isTypeScript)
    .map(({ folder, name }) => `${folder}/${name}.ts`);
  if (files.length === 0) return;
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
  const config = join(root, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  await compileTypeScript(['-p', config]);
}

async function runProgram(built: BuiltPackage, { folder, name }: Program): Promise<Finished> {
  const model = await startScriptedModel({ onExhausted: answerWillingly });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  try {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(built.folder, 'programs', folder, `${name}.js`)],
        { cwd: home.cwd, env: home.env, timeout: RUN_TIMEOUT_MS, killSignal: 'SIGKILL' },
        (error, stdout, stderr) => {
          resolve({ exitCode: error ? (error.code ?? error.signal) : 0, output: `${stdout}${stderr}` });
        },
      ).stdin?.end();
    });
  } finally {
    await model.close({ verify: false });
    await home.remove();
  }
}

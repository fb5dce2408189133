// The names of the official SDK that docs/options.md compares with, held against the package: the compiler's verdict on its
// types, and what there is at run time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadBoth, type AnySdk } from './record-query.js';

interface Surface {
  version: string;
  options: string[];
  queryMethods: string[];
  queryMethodsWithoutType: string[];
  warmQueryMethods: string[];
  spareProcessMethods: string[];
  values: string[];
  valuesWithoutType: string[];
  entryPoints: string[];
}

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const surface = readJson(join(root, 'test', 'fixtures', 'official-surface.json')) as Surface;
const installed = join(here, 'node_modules', '@anthropic-ai', 'claude-agent-sdk');
const folder = mkdtempSync(join(here, 'node_modules', '.surface-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let official: AnySdk;
beforeAll(async () => {
  official = (await loadBoth()).official;
});

/** The compiler's complaints about a program that says which keys each type has. */
function compile(claims: Record<string, string[]>): string[] {
  const lines = Object.entries(claims).flatMap(([type, names]) => {
    const union = names.map((name) => `'${name}'`).join(' | ');
    return [
      `type Names_${type} = Extract<Exclude<keyof Official.${type}, keyof AsyncGenerator | keyof AsyncDisposable>, string>;`,
      `export const a_${type}: [Exclude<Names_${type}, ${union}>] extends [never] ? true : Exclude<Names_${type}, ${union}> = true;`,
      `export const b_${type}: [Exclude<${union}, Names_${type}>] extends [never] ? true : Exclude<${union}, Names_${type}> = true;`,
    ];
  });
  writeFileSync(
    join(folder, 'claims.mts'),
    `import type * as Official from 'official';\n${lines.join('\n')}\n`,
  );
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'es2024.string', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    paths: { official: [join(installed, 'sdk.d.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['claims.mts'] }));
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
      .split('\n')
      .filter((line) => line.includes('error TS'));
  }
}

describe('the surface of the official SDK', () => {
  it('is that of the version that is written down', () => {
    expect((readJson(join(installed, 'package.json')) as { version: string }).version).toBe(surface.version);
  });

  it('has these options and methods, and no others', () => {
    const { options, queryMethods, warmQueryMethods, spareProcessMethods } = surface;
    const claims = {
      Options: options,
      Query: queryMethods,
      WarmQuery: warmQueryMethods,
      SpareProcess: spareProcessMethods,
    };
    expect(compile(claims)).toEqual([]);
    expect(compile({ Options: options.slice(1) })).not.toEqual([]);
    expect(compile({ Options: [...options, 'invented'] })).not.toEqual([]);
  });

  it('exports these values, and no others', () => {
    const { values, valuesWithoutType } = surface;
    expect(Object.keys(official).toSorted()).toEqual([...values, ...valuesWithoutType].toSorted());
  });

  it('has these methods at run time, too', () => {
    const { query } = official as { query: (input: object) => object };
    const made = query({ prompt: 'x', options: { pathToClaudeCodeExecutable: '/bin/true' } });
    (made as { close(): void }).close();
    expect(surface.queryMethodsWithoutType.filter((name) => !(name in made))).toEqual([]);
  });

  it('has these entry points that we have not', () => {
    const { exports } = readJson(join(installed, 'package.json')) as { exports: object };
    const ours = (readJson(join(root, 'package.json')) as { exports: object }).exports;
    const entryPoints = Object.keys(exports).filter(
      (entryPoint) => !(entryPoint in ours) && entryPoint !== './package.json',
    );
    expect(entryPoints.toSorted()).toEqual(surface.entryPoints.toSorted());
  });
});

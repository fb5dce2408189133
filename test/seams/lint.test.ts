// The guarded folders ask for time, timers, randomness, files and child processes only in core/util/system: the linter says so, and
// what it cannot see is found in the text.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROJECT_ROOT, readProjectFile, readSourceFiles } from '../package/project.js';
import { EXCEPTIONS, GUARDED_FOLDERS, isGuarded, RULES } from './guarded-files.js';

const [GLOBALS, PROPERTIES, IMPORTS] = RULES.map((rule) => rule.replace('eslint/', ''));

/** What must be found, each in a line of its own, and the rule that finds it. */
const VIOLATIONS = [
  ["import { openSync } from 'node:fs';", IMPORTS],
  ["import fs from 'node:fs';", IMPORTS],
  ["import * as files from 'node:fs';", IMPORTS],
  ["import { open } from 'node:fs/promises';", IMPORTS],
  ["import { existsSync } from 'fs';", IMPORTS],
  ["import { spawn } from 'node:child_process';", IMPORTS],
  ["import { setTimeout as sleep } from 'node:timers/promises';", IMPORTS],
  ["import { setImmediate as soon } from 'node:timers';", IMPORTS],
  ["import { performance as watch } from 'node:perf_hooks';", IMPORTS],
  ["import { randomUUID } from 'node:crypto';", IMPORTS],
  ["import { createHash, randomBytes } from 'node:crypto';", IMPORTS],
  ["import { connect } from 'node:net';", IMPORTS],
  ['void setTimeout(() => {}, 1);', GLOBALS],
  ['clearTimeout(undefined);', GLOBALS],
  ['void setInterval(() => {}, 1);', GLOBALS],
  ['clearInterval(undefined);', GLOBALS],
  ['void setImmediate(() => {});', GLOBALS],
  ['clearImmediate(undefined);', GLOBALS],
  ['void performance.now();', GLOBALS],
  ['void crypto.randomUUID();', GLOBALS],
  ['void globalThis.setTimeout(() => {}, 1);', GLOBALS],
  ['void Date.now();', PROPERTIES],
  ['void Math.random();', PROPERTIES],
  ['void process.hrtime.bigint();', PROPERTIES],
  ['void AbortSignal.timeout(1);', PROPERTIES],
] as const;

/** What is allowed. */
const ALLOWED = `
import { constants, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { clock } from './clock.js';
export type Kept = [Stats, FileHandle, ChildProcess, Date];
export const made = [constants.O_RDONLY, createHash('sha256'), new Date(0), Math.max(1, 2), Date.parse('')];
export const asked = [clock.Date.now(), clock.performance.now(), clock.setTimeout(() => {}, 1)];
`;

/** How the text looks of what no rule knows. */
const UNSEEN: readonly { what: string; looks: RegExp; is: string; isNot: string }[] = [
  {
    what: 'the present time as a date',
    looks: /\bnew Date\(\s*\)|\bnew Date\b(?!\()|(?<!new )(?<![.\w])Date\(/,
    is: 'return new Date().toISOString();',
    isNot: 'return new Date(at).toISOString();',
  },
  {
    what: 'a module that is loaded on first use',
    looks:
      /\b(?:import|require)\(\s*['"](?:node:)?(?:fs|child_process|timers|perf_hooks|crypto|net|http|tls)\b/,
    is: "const fs = await import('node:fs');",
    isNot: "const part = await import('./fs.js');",
  },
];

interface Finding {
  code: string;
  filename: string;
  labels: { span: { line: number } }[];
}

/** What the linter says of these files, with the rules of this project, in a project that has no others. */
async function lint(files: Record<string, string>): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-seams-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({
    ...files,
    '.oxlintrc.json': readProjectFile('.oxlintrc.json'),
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const program = join(PROJECT_ROOT, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve, reject) => {
    // It exits with 1 where it finds something.
    execFile(process.execPath, [program, '-f', 'json', '.'], { cwd: folder }, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(stdout);
      else reject(new Error(`oxlint did not run: ${stderr}`, { cause: error }));
    });
  });
  return (JSON.parse(output) as { diagnostics: Finding[] }).diagnostics;
}

/** The findings of our rules, by file: each as its rule and line. */
function sortByFile(findings: readonly Finding[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { code, filename, labels } of findings) {
    if (!RULES.some((rule) => code.includes(rule.replace('eslint/', '')))) continue;
    const line = `${code.replace(/^eslint\((.*)\)$/, '$1')} ${labels[0]?.span.line}`;
    found.set(filename, [...(found.get(filename) ?? []), line]);
  }
  return found;
}

describe('the linter', () => {
  const text = VIOLATIONS.map(([line]) => `${line}\n`).join('');

  it('finds each violation in each guarded folder, and in folders inside of it', async () => {
    const planted = GUARDED_FOLDERS.flatMap((folder) => [`${folder}planted.ts`, `${folder}a/b/planted.ts`]);
    const found = sortByFile(await lint(Object.fromEntries(planted.map((path) => [path, text]))));
    const expected = VIOLATIONS.map(([, rule], index) => `${rule} ${index + 1}`).toSorted();
    expect(planted.length).toBeGreaterThan(10);
    for (const path of planted)
      expect({ path, found: [...new Set(found.get(path))].toSorted() }).toEqual({ path, found: expected });
  });

  it('leaves alone what asks in the right place, other folders and the exceptions', async () => {
    const excepted = EXCEPTIONS.map((place) => (place.endsWith('/') ? `${place}planted.ts` : place));
    const found = await lint({
      ...Object.fromEntries(GUARDED_FOLDERS.map((folder) => [`${folder}allowed.ts`, ALLOWED])),
      ...Object.fromEntries(['packages/ui/src/planted.ts', ...excepted].map((path) => [path, text])),
    });
    expect(sortByFile(found)).toEqual(new Map());
  });
});

describe('the guarded files', () => {
  const files = [...readSourceFiles()].filter(([path]) => isGuarded(path));

  it('are there, as are the exceptions', () => {
    const paths = [...readSourceFiles().keys()];
    for (const place of [...GUARDED_FOLDERS, ...EXCEPTIONS])
      expect({ place, has: paths.some((path) => path.startsWith(place)) }).toEqual({ place, has: true });
    expect(files.length).toBeGreaterThan(300);
  });

  it.each(UNSEEN)('do not have $what', ({ looks, is, isNot }) => {
    expect([is, isNot].map((line) => looks.test(line))).toEqual([true, false]);
    const withoutComments = (source: string): string => source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    expect(files.flatMap(([path, source]) => (looks.test(withoutComments(source)) ? [path] : []))).toEqual(
      [],
    );
  });
});

// docs/errors.md and its parts: that they are what the sources make, that each class, code and warning has its row, and that a test is there
// for each of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutPage } from '../../scripts/support/pages/cut-page.mjs';
import { buildErrorsPage, ERRORS_PARTS } from '../../scripts/support/reference/errors-page.mjs';
import * as errors from '../../packages/core/src/errors.js';
import { ERROR_GUIDE } from '../../packages/core/src/errors/error-guide.js';
import type { ErrorAdvice } from '../../packages/core/src/errors/guide/advice.js';
import {
  OPTION_WARNINGS,
  PROCESS_WARNINGS,
  SESSION_WARNINGS,
} from '../../packages/core/src/options/check/warning-guide.js';
import { listNames } from '../../packages/inboard/test/public-definitions.js';
import { listAnchors } from '../../scripts/support/site/markdown.mjs';
import { findCaughtCodes } from './caught-codes.js';
import { PACKAGES, PROJECT_ROOT, readProjectFile, readSourceFiles } from '../package/project.js';

const guides = { ERROR_GUIDE, OPTION_WARNINGS, SESSION_WARNINGS, PROCESS_WARNINGS };
const page = buildErrorsPage(guides);
const files = cutPage({ file: 'docs/errors.md', text: page, parts: ERRORS_PARTS });
const rows = Object.entries(ERROR_GUIDE).flatMap(([name, codes]) =>
  Object.entries(codes as Record<string, ErrorAdvice>).map(([code, advice]) => ({ name, code, ...advice })),
);
const warnings = Object.keys({ ...OPTION_WARNINGS, ...SESSION_WARNINGS, ...PROCESS_WARNINGS });
const known = new Set([...rows.map(({ code }) => code), ...warnings]);

/** Codes in capitals that are answers of the inspector's and the chat's servers to a request, and so no errors of a program. */
const OF_SERVERS = /^packages\/(?:inspector\/src\/(?:html|page|server|sources|stream)|ui\/src\/chat)\//;

describe('the page of errors', () => {
  it.each(Object.keys(files))(
    '%s is what the sources make (node scripts/write-reference-pages.mjs)',
    (path) => {
      expect(readProjectFile(path)).toBe(files[path]);
    },
  );

  it.each([...rows.map(({ code }) => code), ...warnings])('leads from %s to its row', (code) => {
    const [, part = '', anchor = ''] =
      new RegExp(`^\\| \\[\`${code}\`\\]\\(([^#]+)#([^)]+)\\) \\|`, 'm').exec(
        files['docs/errors.md'] ?? '',
      ) ?? [];
    const text = files[`docs/${part}`] ?? '';
    expect(text).toContain(`\n| \`${code}\` | `);
    expect(listAnchors(text)).toContain(anchor);
  });

  it('has a row for each class and code, and no other', () => {
    expect(Object.keys(ERROR_GUIDE).toSorted()).toEqual(Object.keys(errors).toSorted());
    const written = [...page.matchAll(/^\| `([A-Z_]+)` \| `(\w+Error)` \|/gm)];
    expect(written.map(([, code, name]) => `${name} ${code}`).toSorted()).toEqual(
      rows.map(({ name, code }) => `${name} ${code}`).toSorted(),
    );
  });

  it.each(warnings)('has a row for the warning %s', (code) => {
    expect(page).toMatch(new RegExp(`^\\| \`${code}\` \\| \\S`, 'm'));
  });

  it('is about classes that users can import: from the main entry point, or from one of a package', () => {
    const namesOf = (entryPoint: string): string[] =>
      listNames(readProjectFile(`packages/inboard/src/${entryPoint}.ts`));
    const main = namesOf('index');
    const special = ['testing', 'inspector', 'acp', 'cluster', 'remote', 'temporal'].flatMap(namesOf);
    const hidden = Object.keys(errors).filter((name) => !special.includes(name) && !main.includes(name));
    expect(hidden).toEqual([]);
  });

  it('cannot be made for a class without a row', () => {
    const { AbortError: _, ...rest } = ERROR_GUIDE;
    expect(() => buildErrorsPage({ ...guides, ERROR_GUIDE: rest })).toThrow('no row for AbortError');
  });

  it('cannot be made for a row that no part of it shows', () => {
    const more = { ...ERROR_GUIDE, LostError: { LOST: { when: 'w', advice: 'a' } } };
    expect(() => buildErrorsPage({ ...guides, ERROR_GUIDE: more })).toThrow(/has LostError/);
  });
});

describe('the codes in the sources', () => {
  const sources = [...readSourceFiles()].filter(
    ([path]) => !path.startsWith('packages/core/src/errors') && !OF_SERVERS.test(path),
  );
  const find = (pattern: RegExp): { path: string; code: string }[] =>
    sources.flatMap(([path, text]) => [...text.matchAll(pattern)].map(([, code = '']) => ({ path, code })));

  it.each([
    ['of errors without a class', /new InboardError\(\s*'([A-Z_]+)'/g, 8],
    ['of warnings and errors', /\bcode(?: =|:) '([A-Z]+_[A-Z_]+)'/g, 25],
    ['of process warnings', /warnOnce\([^;]*?,\s*'([A-Z_]+)'/g, 3],
  ])('%s have a row', (_, pattern, least) => {
    const found = find(pattern);
    expect(found.length).toBeGreaterThan(least);
    expect(found.filter(({ code }) => !known.has(code))).toEqual([]);
  });
});

describe('what the page says of retrying', () => {
  const sources = [...readSourceFiles()].filter(([path]) => path.startsWith('packages/core/src/errors/'));
  const all = sources.map(([, text]) => text).join('\n');

  it.each(rows.filter(({ name }) => name !== 'InboardError'))('$name $code: as its class', (row) => {
    const [text = ''] = new RegExp(`export class ${row.name}\\b[^]*?\\n}\\n`).exec(all) ?? [];
    expect(text).not.toBe('');
    if (text.includes('retryable: true')) expect(row.retryable).toBe(true);
  });
});

/** Codes that no test catches, with the reason. A code that a test catches must leave the list. */
const UNTESTED: Readonly<Record<string, string>> = {
  ACP_LIBRARY_BROKEN: 'needs a broken library beside the package',
  CHAT_LOG_LOST: 'needs a full disk under a chat',
  HOST_CLOSED: 'a reason that only handlers of the command see, when it has ended',
  INBOARD_CALLBACK: 'only where a transport is made without a session, which no entry point does',
  LOCAL_CLI_IGNORED: 'needs a global installation; the search itself is tested without the code',
  MCP_SERVER_NOT_CONNECTED: 'reaches a program as the warning SERVER_NOT_CONNECTED, which is tested',
};

describe('each code', () => {
  const listTests = (folder: string): string[] =>
    (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listTests(path);
      return entry.name.endsWith('.ts') && !path.endsWith('errors-page.test.ts') ? [path] : [];
    });
  const caught = new Set(
    ['test', ...PACKAGES.map((name) => `packages/${name}/test`)]
      .flatMap((folder) => listTests(join(PROJECT_ROOT, folder)))
      .flatMap((path) => [...findCaughtCodes(readFileSync(path, 'utf8'))]),
  );

  it('is caught by a test that brings it about, or listed with a reason', () => {
    const untested = [...known].filter((code) => !caught.has(code));
    expect(untested.toSorted()).toEqual(Object.keys(UNTESTED).toSorted());
  });

  it('is not caught by a test that only makes, lists or mentions it', () => {
    const idle = [
      '// expect(CODE_COMMENT);',
      "const failure = new LostError('CODE_MADE');",
      "const codes = ['CODE_LISTED'];",
      'expect(1).toBe(1);',
    ];
    expect([...findCaughtCodes(idle.join('\n'))]).toEqual([]);
    const catching = [
      "const failure = { code: 'CODE_NAMED' };",
      "const UNUSED = 'CODE_UNUSED';",
      "await expect(work()).rejects.toMatchObject({\n  code: 'CODE_CAUGHT' });",
      'expect(() => other()).toThrow(expect.objectContaining(failure));',
    ];
    expect([...findCaughtCodes(catching.join('\n'))].toSorted()).toEqual(['CODE_CAUGHT', 'CODE_NAMED']);
  });
});

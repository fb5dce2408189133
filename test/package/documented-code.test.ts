// Everything that a page shows is tried: a test runs every program, every command exists, all JSON parses.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../packages/cli/src/commands.js';
import { readBlockName, type CodeBlock } from './code-blocks.js';
import {
  findRunPages,
  isProgram,
  isRunInAnotherWay,
  listPages,
  RUN_IN_ANOTHER_WAY,
  type Page,
} from './documented-pages.js';
import { MANIFEST, PROJECT_ROOT, readProjectFile, readWholePage } from './project.js';
import { findShellMistakes, readCommands } from './shell-lines.js';

/** Blocks that their page's test does not run, and who does. A name is that of the block's first line. */
const RUN_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // test/docs/front-end-recipes.test.ts: they are the files that scripts/run-front-ends.mjs runs.
  'docs/front-ends/recipes.md': ['hono.mjs', 'express.mjs', 'route.js', 'bun.mjs', 'deno.mjs', 'node.mjs'],
  // test/docs/editors-doc.test.ts starts an agent with it.
  'docs/editors.md': ['tools.ts'],
};

/** What is shown to be read: diagrams, output, configuration of others. `tsx` must be a recipe. */
const LANGUAGES = new Set([
  'ts',
  'js',
  'tsx',
  'sh',
  'json',
  'text',
  'sql',
  '',
  'yaml',
  'toml',
  'diff',
  'dockerfile',
  'html',
]);

const pages = listPages();
const run = findRunPages();

function describeBlock({ path }: Page, block: CodeBlock): string {
  return `${path}, line ${block.line}`;
}

/** Excerpts of a program that has tests of its own: the page of an example may show a part of its files. */
function isExcerpt({ path }: Page, { code }: CodeBlock): boolean {
  const folder = dirname(path);
  if (!folder.startsWith('examples/')) return false;
  const sources = readdirSync(join(PROJECT_ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' });
  const squeeze = (text: string): string => text.replaceAll(/\s+/g, '').replaceAll(',)', ')');
  // The last separator stands in a list there, and ends a statement here.
  const wanted = squeeze(code).replace(/;$/, '');
  return sources
    .filter((name) => name.endsWith('.ts'))
    .some((name) => squeeze(readProjectFile(join(folder, 'src', name))).includes(wanted));
}

/** The scripts of the project, and of the example that a page is about. */
function readScripts(path: string): Record<string, string> {
  const examples = readdirSync(join(PROJECT_ROOT, 'examples')).map((name) => `examples/${name}`);
  const folders =
    path === 'examples/README.md' ? examples : examples.filter((name) => path.startsWith(`${name}/`));
  const manifests = folders
    .map((name) => `${name}/package.json`)
    .filter((name) => existsSync(join(PROJECT_ROOT, name)));
  return Object.assign(
    {},
    MANIFEST.scripts,
    ...manifests.map((name) => (JSON.parse(readProjectFile(name)) as { scripts: object }).scripts),
  ) as Record<string, string>;
}

/** Packages of this project and of its folders with a lockfile of their own, and those that a page tells to install. */
function listPackages(shell: readonly CodeBlock[]): Set<string> {
  const folders = ['.', 'site', ...readdirSync(join(PROJECT_ROOT, 'test')).map((name) => `test/${name}`)];
  const pinned = folders
    .map((name) => join(name, 'package.json'))
    .filter((name) => existsSync(join(PROJECT_ROOT, name)))
    .flatMap((name) => {
      const { dependencies, devDependencies } = JSON.parse(readProjectFile(name)) as Record<string, object>;
      return Object.keys({ ...dependencies, ...devDependencies });
    });
  const installed = shell
    .flatMap(({ code }) => readCommands(code))
    .filter(([program, verb]) => program === 'npm' && verb === 'install')
    .flatMap(([, , ...names]) => names);
  return new Set([...pinned, ...installed]);
}

describe.each(pages.map((page) => [page.path, page] as const))('%s', (path, page) => {
  const programs = page.blocks.filter(isProgram);

  it('begins with its title and a paragraph that says what it is for', () => {
    if (!path.startsWith('docs/')) return;
    const text = readProjectFile(path).replaceAll(/^<!--.*?-->\n+|^```.*?^```$/gms, '');
    const [title = '', , opening = ''] = text.split('\n');
    expect(title).toMatch(/^# \S/);
    expect(opening).toMatch(/^[\p{L}`*[]/u);
    expect(text.match(/^# /gm)).toHaveLength(1);
  });

  it('shows code in languages that are checked', () => {
    const others = page.blocks.filter(({ language }) => !LANGUAGES.has(language));
    expect(others.map((block) => `${describeBlock(page, block)}: ${block.language}`)).toEqual([]);
  });

  it('shows programs that a test runs', () => {
    // A page of docs that no test names is run by test/docs/pages.test.ts.
    if (path.startsWith('docs/') || run.has(path)) return;
    const loose = programs.filter((block) => !isExcerpt(page, block));
    expect(loose.map((block) => describeBlock(page, block))).toEqual([]);
  });

  it('names no block that nothing imports: such a block would be compiled and never run', () => {
    if (isRunInAnotherWay(path)) return;
    const named = programs.map(readBlockName).filter((name) => name !== undefined);
    const text = programs.map(({ code }) => code).join('\n');
    const elsewhere = RUN_ELSEWHERE[path] ?? [];
    const lost = named.filter(
      (name) => !elsewhere.includes(name) && !text.includes(`'./${name.replace(/\.ts$/, '.js')}'`),
    );
    expect(lost).toEqual([]);
    expect(elsewhere.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('shows no component that is not a recipe', () => {
    const recipe = readProjectFile('test/front-ends/recipes/chat-page.tsx');
    const others = page.blocks.filter(({ language, code }) => language === 'tsx' && code !== recipe);
    expect(others.map((block) => describeBlock(page, block))).toEqual([]);
  });

  it('shows commands that exist', () => {
    const shell = page.blocks.filter(({ language }) => language === 'sh');
    const world = { scripts: readScripts(path), packages: listPackages(shell) };
    const mistakes = shell.flatMap((block) =>
      findShellMistakes(block.code, world).map((mistake) => `${describeBlock(page, block)}: ${mistake}`),
    );
    // The same in the text, where it is marked as code.
    const inline = Array.from(
      readProjectFile(path).matchAll(/`((?:npm run|npm test|node scripts\/|npx inboard )[^`\n]*)`/g),
      ([, command = '']) => command,
    ).filter((command) => !/[…<]/.test(command));
    mistakes.push(...inline.flatMap((command) => findShellMistakes(command, world)));
    expect(mistakes).toEqual([]);
  });

  it('shows JSON that parses', () => {
    for (const block of page.blocks.filter(({ language }) => language === 'json')) {
      expect(() => JSON.parse(block.code) as unknown, describeBlock(page, block)).not.toThrow();
    }
  });
});

describe('the rule itself', () => {
  it('finds what does not exist', () => {
    const world = { scripts: { build: '' }, packages: new Set(['jiti']) };
    const code = [
      'npm run build && npm run bild # twice',
      'A=1 npx inboard run tools.ts "npm run x; y" --once --wnce',
      'npx inboard rnu',
      'npx jiti a.ts | npx tsx',
      'node scripts/build.mjs; node scripts/none.mjs',
      'frobnicate it',
    ].join('\n');
    expect(findShellMistakes(code, world).map((mistake) => mistake.replace(/^.*: /, ''))).toEqual([
      'package.json has no script "bild"',
      '"inboard run" has no option "--wnce"',
      'inboard has no command "rnu"',
      '"tsx" is in no package that is known here',
      'there is no such script',
      '"frobnicate" is no program that pages use (KNOWN in shell-lines.ts)',
    ]);
  });

  it('lists every command, with a section for each', () => {
    const page = readWholePage('docs/command.md');
    const wanted = Object.keys(COMMANDS).flatMap((name) => [
      new RegExp(`^\\| \\[\`${name}\`\\]\\(command/`, 'm'),
      new RegExp(`^##+ ${name}$`, 'm'),
    ]);
    expect(wanted.filter((line) => !line.test(page))).toEqual([]);
  });

  it('knows which test runs which page', () => {
    expect(run.get('README.md')).toBe('test/package/readme.test.ts');
    for (const file of Object.values(RUN_IN_ANOTHER_WAY))
      expect(existsSync(join(PROJECT_ROOT, file))).toBe(true);
    for (const page of Object.keys(RUN_ELSEWHERE)) expect(pages.map(({ path }) => path)).toContain(page);
  });
});

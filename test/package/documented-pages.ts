// Which pages show code, and which test runs it. Pages of docs are run by test/docs/pages.test.ts unless another test
// says that it does; all others are named by the test that runs them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isProgramLanguage, readCodeBlocks, type CodeBlock } from './code-blocks.js';
import { listProjectFiles, PROJECT_ROOT, readProjectFile } from './project.js';

/** A page for readers, by its path in the project. */
export interface Page {
  path: string;
  blocks: CodeBlock[];
}

/** Tests that run a page and its parts in their own way, not by `describePrograms`. */
export const RUN_IN_ANOTHER_WAY: Readonly<Record<string, string>> = {
  // Its files are written into a project, and its commands run on them.
  'docs/command.md': 'test/docs/command-doc.test.ts',
  // With the engines, which the project itself does not depend on.
  'docs/engines-dbos.md': 'test/engines/pages.mjs',
  'docs/engines-restate.md': 'test/engines/pages.mjs',
  'docs/engines-temporal.md': 'test/engines/pages.mjs',
  // Walked step by step in an empty project, in both languages.
  'docs/getting-started.md': 'test/docs/getting-started.test.ts',
  // A store of the page goes through the conformance suite.
  'docs/sessions.md': 'test/docs/sessions-doc.test.ts',
};

/** Every page that people read before they use the project: not the records of decisions and findings. */
export function listPages(): Page[] {
  const root = readdirSync(PROJECT_ROOT).filter((name) => name.endsWith('.md'));
  const docs = listProjectFiles('docs').filter(
    (name) => name.endsWith('.md') && !/^docs\/(?:decisions|discoveries)\//.test(name),
  );
  const examples = readdirSync(join(PROJECT_ROOT, 'examples'), { recursive: true, encoding: 'utf8' });
  return [
    ...root,
    ...docs.toSorted(),
    ...examples
      .filter((name) => /^(?:[\w-]+\/)?README\.md$/.test(name.replaceAll('\\', '/')))
      .map((name) => `examples/${name.replaceAll('\\', '/')}`),
  ].map((path) => ({ path, blocks: readCodeBlocks(readProjectFile(path)) }));
}

/** Pages by the test file that runs them with `describePrograms`. */
export function findRunPages(): Map<string, string> {
  const found = new Map<string, string>();
  const files = ['packages', 'test'].flatMap((folder) =>
    readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  for (const file of files.filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))) {
    const text = readProjectFile(file);
    const constants = new Map(
      Array.from(text.matchAll(/^const (\w+) = '([^']+\.md)';$/gm), ([, name, page]) => [name, page]),
    );
    for (const [, literal, name] of text.matchAll(/\bdescribePrograms\((?:'([^']+)'|(\w+))\)/g)) {
      const page = literal ?? constants.get(name);
      if (page !== undefined) found.set(page, file);
    }
  }
  return found;
}

/** Pages of docs with code that no other test runs. */
export function listUnclaimedPages(): string[] {
  const run = findRunPages();
  return listPages()
    .filter(({ path, blocks }) => path.startsWith('docs/') && blocks.some(isProgram))
    .map(({ path }) => path)
    .filter((path) => !run.has(path) && !isRunInAnotherWay(path));
}

/** Whether a page, or the page that it is a part of, is run by a test of its own. */
export function isRunInAnotherWay(path: string): boolean {
  return [path, path.replace(/\/[^/]+\.md$/, '.md')].some((page) => Object.hasOwn(RUN_IN_ANOTHER_WAY, page));
}

/** Whether a block is a program. */
export function isProgram({ language }: CodeBlock): boolean {
  return isProgramLanguage(language);
}

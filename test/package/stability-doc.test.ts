// docs/stability.md promises by version numbers and lists: each is held to the one place that has it.
import { describe, expect, it } from 'vitest';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../packages/core/src/options/supported-versions.js';
import { readProjectFile, readSourceFiles } from './project.js';
import { findDefinition, listNames } from '../../packages/inboard/test/public-definitions.js';

const page = readProjectFile('docs/stability.md');
const manifest = JSON.parse(readProjectFile('package.json')) as {
  version: string;
  engines: { node: string };
  exports: Record<string, unknown>;
};

/** The text of a section, without its heading. */
function section(title: string): string {
  const found = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`There is no section "${title}"`);
  return found.slice(title.length);
}

/** The cells of the row that begins with `first`. */
function row(text: string, first: string): string[] {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`| ${first} |`));
  return line === undefined ? [] : line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
}

/** The entry point that a file makes, by its built name. */
function nameEntryPoint(path: string): string {
  const built = `./dist/entry/${path.slice('packages/inboard/src/'.length, -'.ts'.length)}.js`;
  const exported = Object.entries(manifest.exports as Record<string, string | { default: string }>);
  const [name] = exported.find(([, to]) => typeof to === 'object' && to.default === built) ?? [path];
  return name.replace('.', 'inboard');
}

/** Exports whose doc comment says that they are experimental, with their entry point. */
function listExperimental(): string[] {
  const files = readSourceFiles();
  return [...files]
    .filter(([path]) => path.startsWith('packages/inboard/src/') && !path.endsWith('load-on-use.ts'))
    .flatMap(([path, text]) =>
      listNames(text)
        .filter((name) => {
          const definition = findDefinition(files, path, name);
          const before = definition?.text.slice(0, definition.index) ?? '';
          return (
            before.slice(before.lastIndexOf('/**')).includes('@experimental') &&
            before.trimEnd().endsWith('*/')
          );
        })
        .map((name) => `${name} ${nameEntryPoint(path)}`),
    )
    .toSorted();
}

describe('docs/stability.md', () => {
  it('names this version, and every entry point', () => {
    expect(page).toContain(`Version ${manifest.version} is`);
    const entryPoints = row(section('What is public'), 'entry points')[1] ?? '';
    for (const entryPoint of Object.keys(manifest.exports)) {
      const name = entryPoint
        .replace('.', 'inboard')
        .replace(/schema\/.+$/, 'schema/*.json')
        .replace('sdk-tools.js', 'sdk-tools');
      expect(entryPoints).toContain(`\`${name}\``);
    }
  });

  it('lists exactly what the doc comments call experimental', () => {
    const listed = [...section('What is experimental').matchAll(/^\| `(\w+)` \| `(\S+)` \|/gm)];
    expect(listed.map(([, name = '', entryPoint = '']) => `${name} ${entryPoint}`).toSorted()).toEqual(
      listExperimental(),
    );
    expect(listed.length).toBeGreaterThan(0);
  });

  it('has the ranges that are tested', () => {
    const ranges = section('Supported versions');
    expect(row(ranges, 'Node')[1]).toBe(manifest.engines.node);
    expect(row(ranges, 'Claude CLI')[1]).toBe(`${OLDEST_VERSION} to ${NEWEST_VERSION}`);
    expect(ranges).toContain(`@anthropic-ai/claude-code@${NEWEST_VERSION}`);
    const runtimes = readProjectFile('docs/runtimes.md');
    const [, oldest, newest] = /from TypeScript (\d\.\d) .*?to (\d\.\d)/s.exec(runtimes) ?? [];
    expect(row(ranges, 'TypeScript')[1]).toBe(`${oldest} to ${newest}`);
    const [, ...columns] = /^\| \|(.+)\|$/m.exec(runtimes)?.[1]?.split('|') ?? [];
    expect(columns.length).toBeGreaterThan(3);
    const tested = `${row(ranges, 'Node')[2]} ${row(ranges, 'Bun, Deno')[1]}`;
    for (const column of runtimes.match(/(?<=\| )(?:Node|Bun|Deno) \d+\.\d+/g) ?? []) {
      const [name = '', version = ''] = column.split(' ');
      const [major = ''] = version.split('.');
      expect(tested, column).toContain(name === 'Node' && major !== '20' ? major : version);
    }
  });
});

// The templates of `inboard init`: those of an agent say the same, all install what this project was tested with, and stay short.
// scripts/check-tarball.mjs writes a project of each and runs it; scripts/run-front-ends.mjs does so with the chat.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { TEMPLATES as CHOICES } from '../../packages/cli/src/init/templates.js';
import { PROJECT_ROOT, readProjectFile } from './project.js';

type Versions = Record<string, string>;
interface Manifest {
  dependencies: Versions;
  devDependencies?: Versions;
  scripts: Versions;
  engines: Versions;
}

const TEMPLATES = ['agent-ts', 'agent-js', 'chat', 'cluster', 'tools'];
const LONGEST_FILE = 60;
// A server is longer than an agent.
const LONGEST_SERVER_FILE = 130;
const read = (path: string): string => readProjectFile(`templates/${path}`);
const readManifest = (template: string) => JSON.parse(read(`${template}/package.json`)) as Manifest;

function listFiles(template: string): string[] {
  const folder = join(PROJECT_ROOT, 'templates', template);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const code = listFiles('agent-ts').filter((path) => path.endsWith('.ts'));

describe('the templates', () => {
  it('have the same files', () => {
    const expected = listFiles('agent-ts')
      .filter((path) => path !== 'tsconfig.json')
      .map((path) => path.replace(/\.ts$/, '.js'));
    expect(listFiles('agent-js')).toEqual(expected);
    expect(code.length).toBeGreaterThan(5);
  });

  it.each(code)('%s is the same in both, but for its types', (path) => {
    const other = path.replace(/\.ts$/, '.js');
    const stripped = transformSync(path, read(`agent-ts/${path}`)).code.replaceAll(/\.ts"/g, '.js"');
    expect(stripped.length).toBeGreaterThan(100);
    expect(transformSync(other, read(`agent-js/${other}`)).code).toBe(stripped);
  });

  it('have the same text beside the code', () => {
    expect(read('agent-js/README.md')).toBe(read('agent-ts/README.md').replaceAll(/\.ts\b/g, '.js'));
    expect(read('agent-js/gitignore')).toBe(read('agent-ts/gitignore'));
  });

  it('have files of one screen', () => {
    for (const path of code) {
      expect(read(`agent-ts/${path}`).split('\n').length, path).toBeLessThanOrEqual(LONGEST_FILE);
    }
  });

  it.each([
    ['chat', LONGEST_SERVER_FILE],
    ['cluster', LONGEST_SERVER_FILE],
    ['tools', LONGEST_FILE],
  ])('of the kind "%s" have code files that can be read at once', (template, longest) => {
    const files = listFiles(template).filter((path) => /\.tsx?$/.test(path));
    expect(files.length).toBeGreaterThan(8);
    for (const path of files)
      expect(read(`${template}/${path}`).split('\n').length, path).toBeLessThanOrEqual(longest);
  });

  it('are the folders that the command knows', () => {
    const known = Object.values(CHOICES).flatMap(({ typescript, javascript }) => [typescript, javascript]);
    expect(known.filter((name) => name !== undefined).toSorted()).toEqual(TEMPLATES.toSorted());
    expect(readdirSync(join(PROJECT_ROOT, 'templates')).toSorted()).toEqual(TEMPLATES.toSorted());
  });

  it.each(TEMPLATES)('install the tested versions (%s)', (template) => {
    const root = JSON.parse(readProjectFile('package.json')) as Manifest;
    const { dependencies, devDependencies = {}, engines } = readManifest(template);
    // The command writes these two.
    const { inboard, '@anthropic-ai/claude-code': cli, ...others } = dependencies;
    expect({ inboard, cli }).toEqual({ inboard: '*', cli: '*' });
    // Packages of pages are pinned where scripts/run-front-ends.mjs proves them.
    const pages = JSON.parse(readProjectFile('test/front-ends/package.json')) as Manifest;
    const tested = { ...pages.devDependencies, ...root.devDependencies };
    for (const [name, version] of Object.entries({ ...others, ...devDependencies })) {
      expect(version, name).toBe(tested[name]);
    }
    // The AI SDK asks for Node 22, and from this version on Node runs TypeScript without a loader.
    expect(engines).toEqual(template === 'chat' ? { node: '>=22.18' } : root.engines);
  });

  it.each(TEMPLATES)('tell of every script (%s)', (template) => {
    const readme = read(`${template}/README.md`);
    for (const name of Object.keys(readManifest(template).scripts)) {
      expect(readme).toMatch(new RegExp(`npm (?:run )?${name}\\b`));
    }
  });
});

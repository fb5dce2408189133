// The templates of `inboard init`: those of an agent say the same, all install what this project was tested with, and stay short.
// scripts/check-tarball.mjs writes a project of each and runs it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from './project.js';

type Versions = Record<string, string>;
interface Manifest {
  dependencies: Versions;
  devDependencies?: Versions;
  scripts: Versions;
  engines: Versions;
}

const TEMPLATES = ['agent-ts', 'agent-js', 'cluster'];
const LONGEST_FILE = 60;
// A server and manifests are longer than an agent.
const LONGEST_CLUSTER_FILE = 130;
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

  it('of a cluster has code files that can be read at once', () => {
    const files = listFiles('cluster').filter((path) => path.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10);
    for (const path of files)
      expect(read(`cluster/${path}`).split('\n').length, path).toBeLessThanOrEqual(LONGEST_CLUSTER_FILE);
  });

  it.each(TEMPLATES)('install the tested versions (%s)', (template) => {
    const root = JSON.parse(readProjectFile('package.json')) as Manifest;
    const { dependencies, devDependencies = {}, engines } = readManifest(template);
    // The command writes these two.
    const { inboard, '@anthropic-ai/claude-code': cli, ...others } = dependencies;
    expect({ inboard, cli }).toEqual({ inboard: '*', cli: '*' });
    for (const [name, version] of Object.entries({ ...others, ...devDependencies })) {
      expect(version, name).toBe(root.devDependencies?.[name]);
    }
    expect(engines).toEqual(root.engines);
  });

  it.each(TEMPLATES)('tell of every script (%s)', (template) => {
    const readme = read(`${template}/README.md`);
    for (const name of Object.keys(readManifest(template).scripts)) {
      expect(readme).toMatch(new RegExp(`npm (?:run )?${name}\\b`));
    }
  });
});

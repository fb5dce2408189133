// An empty project with the packed package in it, the probes, and their CLI in two places.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, '..', '..', 'node_modules');
const CLI_MANIFEST = {
  name: '@anthropic-ai/claude-code',
  version: '2.1.325',
  type: 'module',
  bin: { claude: 'cli.mjs' },
};

/** Makes the project below `folder`, from the unpacked package; answers with its place. */
export function createProject(folder, unpacked) {
  const project = join(folder, 'project');
  const installed = (name) => join(project, 'node_modules', name);
  cpSync(join(here, 'probes'), project, { recursive: true });
  cpSync(unpacked, installed('inboard'), { recursive: true });
  for (const name of ['@cfworker/json-schema', 'zod']) {
    mkdirSync(dirname(installed(name)), { recursive: true });
    symlinkSync(join(modules, name), installed(name), 'junction');
  }
  writeFileSync(join(project, 'package.json'), '{ "name": "guard", "private": true, "type": "module" }\n');
  const peer = join(here, 'probes', 'peer.mjs');
  cpSync(peer, join(project, 'bare', 'claude.mjs'));
  cpSync(peer, join(installed(CLI_MANIFEST.name), CLI_MANIFEST.bin.claude));
  writeFileSync(join(installed(CLI_MANIFEST.name), 'package.json'), JSON.stringify(CLI_MANIFEST));
  mkdirSync(join(project, 'home'));
  mkdirSync(join(project, 'tmp'));
  return project;
}

// The project of the proofs: the package as it is published, the front ends beside it as links, and the recipes.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackPackage } from '../outsider/project.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes the project below `place` and gives its folder. */
export function createFrontEndProject(place) {
  const project = join(place, 'project');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  cpSync(unpackPackage(place), join(project, 'node_modules', 'inboard'), { recursive: true });
  for (const name of listNeighbours()) linkPackage(join(root, 'node_modules'), name, project);
  for (const home of ['front-ends', 'bundlers'])
    linkPackages(join(root, 'test', home, 'node_modules'), project);
  cpSync(join(folder, 'recipes'), project, { recursive: true });
  // Next has a folder of its own: it makes one program of everything it finds there.
  cpSync(join(folder, 'recipes', 'chat.mjs'), join(project, 'next', 'chat.mjs'));
  for (const name of ['types', 'reader', 'page', 'page-server.mjs'])
    cpSync(join(folder, name), join(project, name), { recursive: true });
  return project;
}

/** What the package needs, the CLI, which is found as a user's would be, and types for what is compiled. */
function listNeighbours() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scope = readdirSync(join(root, 'node_modules', '@anthropic-ai'));
  const programs = scope.filter((name) => /^claude-code(?:-|$)/.test(name));
  return [...Object.keys(dependencies), ...programs.map((name) => `@anthropic-ai/${name}`), '@types/node'];
}

function linkPackages(from, project) {
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    const inScope = name.startsWith('@') ? readdirSync(join(from, name)) : [''];
    for (const inner of inScope) linkPackage(from, join(name, inner), project);
  }
}

function linkPackage(from, name, project) {
  const to = join(project, 'node_modules', name);
  if (existsSync(to)) return;
  mkdirSync(join(to, '..'), { recursive: true });
  symlinkSync(join(from, name), to, 'junction');
}

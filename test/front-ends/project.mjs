// The project of the proofs: the packed package as a stranger installs it, and the front ends beside it.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject } from '../matrix/project.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes the project below `place` and gives its folder. */
export async function createFrontEndProject(place) {
  const { folder: project } = await createProject(place);
  linkPackages(join(folder, 'node_modules'), project);
  // Types of Node, for what is compiled.
  linkPackage(join(root, 'node_modules', '@types', 'node'), join(project, 'node_modules', '@types', 'node'));
  for (const name of ['types', 'reader'])
    cpSync(join(folder, name), join(project, name), { recursive: true });
  return project;
}

function linkPackages(from, project) {
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    const inScope = name.startsWith('@')
      ? readdirSync(join(from, name)).map((inner) => join(name, inner))
      : [name];
    for (const entry of inScope) linkPackage(join(from, entry), join(project, 'node_modules', entry));
  }
}

function linkPackage(from, to) {
  if (existsSync(to)) return;
  mkdirSync(join(to, '..'), { recursive: true });
  symlinkSync(from, to, 'junction');
}

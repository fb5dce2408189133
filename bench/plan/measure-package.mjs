// The package itself: its size when it is installed, and what the compiler needs for a program that uses it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packPackage } from '../../scripts/support/pack-package.mjs';
import { root } from './sdks.mjs';

const PROGRAM = (name) => `import { createSdkMcpServer, query, tool } from '${name}';
import { z } from 'zod';

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('count', 'How many there are', { article: z.string() }, async ({ article }) => ({
      content: [{ type: 'text', text: article.toUpperCase() }],
    })),
  ],
});
for await (const message of query({ prompt: 'How many?', options: { mcpServers: { shop } } })) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
}
`;

const CONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ['program.ts'],
};

/** Gives both figures of an SDK; `temporary` is a folder to write to. A project is made once, and compiled each time. */
export function createPackageMeasurer(temporary) {
  const projects = new Map();
  return (target) => {
    if (!projects.has(target)) projects.set(target, createProject(target, temporary));
    const { project, size } = projects.get(target);
    return { megabytes: size / 1e6, typesMs: timeCompiler(project) };
  };
}

function createProject(target, temporary) {
  const project = mkdtempSync(join(temporary, 'program-'));
  const modules = join(project, 'node_modules');
  mkdirSync(modules);
  const { name, size } = target.folder
    ? installOfficial(target.folder, modules)
    : installInboard(project, modules);
  linkFrom(join(root, 'node_modules'), modules, ['@types/node']);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(CONFIG));
  writeFileSync(join(project, 'program.ts'), PROGRAM(name));
  return { project, size };
}

function installOfficial(folder, modules) {
  const name = '@anthropic-ai/claude-agent-sdk';
  copyPackage(folder, join(modules, name));
  linkFrom(join(folder, '..', '..'), modules, ['@anthropic-ai/sdk', '@modelcontextprotocol/sdk', 'zod']);
  return { name, size: sizeOf(join(modules, name)) };
}

function installInboard(project, modules) {
  mkdirSync(join(modules, 'inboard'));
  const words = ['-xzf', packPackage(project), '-C', join(modules, 'inboard'), '--strip-components=1'];
  execFileSync('tar', words);
  linkFrom(join(root, 'node_modules'), modules, ['@anthropic-ai/sdk', '@cfworker/json-schema', 'zod']);
  return { name: 'inboard', size: sizeOf(join(modules, 'inboard')) };
}

// A copy: from a link the compiler would look for other packages where the link leads.
function copyPackage(folder, target) {
  cpSync(folder, target, {
    recursive: true,
    filter: (path) => !path.slice(folder.length).includes('node_modules'),
  });
}

function linkFrom(source, modules, names) {
  for (const name of names) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(join(source, name), join(modules, name), 'junction');
  }
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, path, name }) => total + statSync(join(parentPath ?? path, name)).size, 0);
}

function timeCompiler(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const begun = performance.now();
  execFileSync(process.execPath, [compiler, '-p', project], { cwd: project, stdio: 'pipe' });
  return performance.now() - begun;
}

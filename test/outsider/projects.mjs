// The projects that the package's types are tried in: which compiler, which types of Node, which other packages, which
// settings. Not every combination: each version and each setting is in at least two of them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where this table, the programs and what is installed for them are. */
export const folder = dirname(fileURLToPath(import.meta.url));

const NODENEXT = { module: 'nodenext', moduleResolution: 'nodenext' };
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };
const STRICTEST = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
};
// Node only, without the types of browsers. What is disposed of with `using` is typed by @types/node.
const NODE_ONLY = { target: 'es2022', lib: ['es2022'] };
// What most projects have: the compiler's default, with the types of browsers.
const DEFAULT_LIB = { target: 'es2022' };
const NEWEST_LIB = { target: 'es2022', lib: ['esnext'] };

/** What a project with the API's client library has besides it; the others have nothing. */
const COMPANIONS = { zod: 'zod', '@opentelemetry/api': '@opentelemetry/api' };

const PROJECTS = [
  { compiler: 'oldest', node: 'oldest', settings: { ...NODENEXT, ...NODE_ONLY } },
  { compiler: 'oldest', node: 'oldest', client: 'oldest', settings: { ...BUNDLER, ...DEFAULT_LIB } },
  { compiler: 'middle', node: 'newest', settings: { ...BUNDLER, ...DEFAULT_LIB, ...STRICTEST } },
  { compiler: 'middle', node: 'oldest', client: 'newest', settings: { ...NODENEXT, ...NODE_ONLY } },
  { compiler: 'newest', node: 'oldest', settings: { ...NODENEXT, ...NODE_ONLY, ...STRICTEST } },
  { compiler: 'newest', node: 'newest', settings: { ...BUNDLER, ...NEWEST_LIB } },
  {
    compiler: 'newest',
    node: 'newest',
    client: 'newest',
    settings: { ...NODENEXT, ...DEFAULT_LIB, ...STRICTEST },
  },
  {
    compiler: 'newest',
    node: 'oldest',
    client: 'oldest',
    settings: { ...BUNDLER, ...NEWEST_LIB, ...STRICTEST },
  },
];

/** Every project: its name, its compiler, its packages (name to where it is installed) and its compiler options. */
export function listProjects() {
  return PROJECTS.map(({ compiler, node, client, settings }) => {
    const library = client && { '@anthropic-ai/sdk': `anthropic-sdk-${client}`, ...COMPANIONS };
    const packages = { '@types/node': `types-node-${node}`, ...library };
    return {
      name: [
        `TypeScript ${versionOf(`typescript-${compiler}`)}`,
        `@types/node ${versionOf(`types-node-${node}`)}`,
        client ? `@anthropic-ai/sdk ${versionOf(`anthropic-sdk-${client}`)}` : 'nothing else',
        settings.moduleResolution,
        settings.lib?.[0] ?? 'default lib',
        ...('exactOptionalPropertyTypes' in settings ? ['strictest'] : []),
      ].join(', '),
      compiler: join(folder, 'node_modules', `typescript-${compiler}`, 'bin', 'tsc'),
      programs: ['everywhere', client ? 'full' : 'bare'],
      packages,
      compilerOptions: settings,
    };
  });
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

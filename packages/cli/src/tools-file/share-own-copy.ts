// Makes modules that the runtime loads import the running copy of this package, even if their project has another copy, or
// none. Two copies would not recognise each other's servers and errors.
import { realpathSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { listOwnEntryPoints, PACKAGE_NAME } from './own-package.js';

interface ResolveContext {
  parentURL?: string;
}
type NextResolve = (specifier: string, context: ResolveContext) => unknown;

interface HookingModule {
  registerHooks?: (hooks: {
    resolve: (specifier: string, context: ResolveContext, next: NextResolve) => unknown;
  }) => unknown;
  register?: (url: string, options: { data: unknown }) => void;
  Module?: { _resolveFilename?: (this: unknown, specifier: string, ...rest: unknown[]) => string };
}

/** Bun's replacement for import hooks: modules that are registered under a name. */
interface BunModules {
  module(specifier: string, load: () => Promise<{ exports: object; loader: 'object' }>): void;
}
interface BunRuntime {
  plugin(plugin: { name: string; setup: (modules: BunModules) => void }): void;
}

let isShared = false;

/**
 * Redirects imports of this package to the running copy, if they would get another one. This is done at most once per
 * process, for all later imports.
 */
export async function shareOwnCopy(file: string): Promise<void> {
  if (isShared) return;
  const entryPoints = listOwnEntryPoints();
  const own = entryPoints[PACKAGE_NAME];
  if (own === undefined || isSameFile(findImported(file), own)) return;
  isShared = true;
  const { registerHooks, register, Module } = nodeModule as unknown as HookingModule;
  const { Bun } = globalThis as { Bun?: BunRuntime };
  if (Bun) {
    // Bun has a `register` too, but it does nothing.
    Bun.plugin({ name: PACKAGE_NAME, setup: (modules) => nameModules(modules, entryPoints) });
    return;
  }
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) => redirect(entryPoints, specifier) ?? next(specifier, context),
    });
    return;
  }
  // Node 20 runs hooks in a separate thread, so they must be a module of their own. It does not call them for
  // `require`, which is therefore patched below.
  register?.(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: entryPoints });
  const resolveFilename = Module?._resolveFilename;
  if (!Module || !resolveFilename) return;
  Module._resolveFilename = function resolveOwn(specifier, ...rest) {
    const entryPoint = entryPoints[specifier];
    return entryPoint === undefined
      ? resolveFilename.call(this, specifier, ...rest)
      : fileURLToPath(entryPoint);
  };
}

function nameModules(modules: BunModules, entryPoints: Readonly<Record<string, string>>): void {
  for (const [specifier, url] of Object.entries(entryPoints)) {
    modules.module(specifier, async () => ({ exports: (await import(url)) as object, loader: 'object' }));
  }
}

function redirect(entryPoints: Readonly<Record<string, string>>, specifier: string): object | undefined {
  const url = entryPoints[specifier];
  return url === undefined ? undefined : { url, format: 'module', shortCircuit: true };
}

const HOOK = `
let entryPoints = {};
export function initialize(data) { entryPoints = data; }
export function resolve(specifier, context, next) {
  const url = entryPoints[specifier];
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
}
`;

/** The file that a module would get if it imports this package. Undefined if it would get none. */
function findImported(file: string): string | undefined {
  try {
    return nodeModule.createRequire(file).resolve(PACKAGE_NAME);
  } catch {
    return undefined;
  }
}

function isSameFile(path: string | undefined, url: string): boolean {
  if (path === undefined) return false;
  try {
    return realpathSync(path) === realpathSync(fileURLToPath(url));
  } catch {
    return false;
  }
}

// Loads a user's module, TypeScript or JavaScript, without a build step: by the runtime where it can, on
// older Node through jiti. What it imports of this package is the copy that is running.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shareOwnCopy } from './share-own-copy.js';
import { CommandError } from '../terminal/usage-error.js';

const TYPESCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx']);
const JAVASCRIPT = new Set(['.js', '.mjs', '.cjs']);

// Failures before any code of the module ran, which jiti does not have: it takes all of TypeScript, and
// `./other.js` for a file that is `other.ts`.
const JITI_COULD = new Set([
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNKNOWN_FILE_EXTENSION',
]);

interface Jiti {
  import(path: string): Promise<Record<string, unknown>>;
}
type CreateJiti = (from: string, options: Record<string, unknown>) => Jiti;

/** How TypeScript gets loaded here. */
export type TypeScriptLoader = 'runtime' | 'jiti' | 'none';

/** The exports of a module; throws a CommandError that says which file, and what to do. */
export async function loadModule(path: string, cwd: string): Promise<Record<string, unknown>> {
  const file = resolve(cwd, path);
  checkFile(file);
  try {
    return TYPESCRIPT.has(extname(file)) ? await loadTypeScript(file) : await loadByRuntime(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError('MODULE_FAILED', `${file} could not be loaded: ${describeCause(error)}`, {
      cause: error,
    });
  }
}

/** Which way a TypeScript file of a project would be loaded. */
export function findTypeScriptLoader(file: string): TypeScriptLoader {
  if (isTypeScriptNative()) return 'runtime';
  return findJiti(file) ? 'jiti' : 'none';
}

function checkFile(file: string): void {
  const extension = extname(file);
  if (!TYPESCRIPT.has(extension) && !JAVASCRIPT.has(extension)) {
    throw new CommandError(
      'NOT_A_MODULE',
      `${file} is not a module by its name; it should end in ${[...TYPESCRIPT, ...JAVASCRIPT].join(', ')}.`,
    );
  }
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts) throw new CommandError('FILE_NOT_FOUND', `${file} does not exist.`);
  if (!facts.isFile()) throw new CommandError('FILE_NOT_FOUND', `${file} is not a file.`);
}

async function loadTypeScript(file: string): Promise<Record<string, unknown>> {
  if (!isTypeScriptNative()) return loadByJiti(file);
  try {
    return await loadByRuntime(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!JITI_COULD.has(code) || !findJiti(file)) throw error;
    return loadByJiti(file);
  }
}

async function loadByRuntime(file: string): Promise<Record<string, unknown>> {
  await shareOwnCopy(file);
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
}

async function loadByJiti(file: string): Promise<Record<string, unknown>> {
  const createJiti = findJiti(file);
  if (!createJiti) {
    throw new CommandError(
      'LOADER_MISSING',
      `${file} is TypeScript, which Node ${process.versions.node} does not load by itself. ` +
        'Install a loader for it with "npm install --save-dev jiti", or use Node 22.18 or newer.',
    );
  }
  const jiti = createJiti(file, {
    // Loaded by its name this package would be a second copy: jiti gives every file it compiles a life of its own.
    virtualModules: await loadOwnDoors(),
    interopDefault: false,
    fsCache: false,
  });
  return jiti.import(file);
}

// The project's own one first: it is what the project's other tools use.
function findJiti(file: string): CreateJiti | undefined {
  for (const from of [file, import.meta.url]) {
    try {
      const { createJiti } = createRequire(from)('jiti') as { createJiti?: CreateJiti };
      if (createJiti) return createJiti;
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

async function loadOwnDoors(): Promise<Record<string, unknown>> {
  const doors: Record<string, unknown> = {
    inboard: await import('../../doors/index.js'),
    'inboard/core': await import('../../doors/core.js'),
    'inboard/testing': await import('../../doors/testing.js'),
    'inboard/trace': await import('../../doors/trace.js'),
    'inboard/sdk-tools': {},
  };
  try {
    doors['inboard/otel'] = await import('../../doors/otel.js');
  } catch {
    // Its peer is not installed; a tools file that wants it learns so by its own import.
  }
  return doors;
}

function isTypeScriptNative(): boolean {
  const { typescript } = process.features as { typescript?: unknown };
  return Boolean(typescript) || process.versions.bun !== undefined || 'deno' in process.versions;
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const hint =
    code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
      ? '\nThe runtime only strips types; "npm install --save-dev jiti" loads the rest of TypeScript too.'
      : '';
  // A message alone does not say where in the user's file it was thrown.
  return `${error.stack ?? error.message}${hint}`;
}

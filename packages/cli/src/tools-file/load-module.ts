// Loads a user's module, TypeScript or JavaScript, without a build step: by the runtime if it can, otherwise through jiti.
// When the module imports this package, it gets the copy that is running.
import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findTypeScriptLoader, hasJiti, loadByJiti } from './jiti.js';
import { forgetModules } from './forget-modules.js';
import { shareOwnCopy } from './share-own-copy.js';
import { unlessIdle } from '../terminal/unless-idle.js';
import { CommandError } from '../terminal/usage-error.js';
import { describeLoadFailure } from './describe-load-failure.js';

const TYPESCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx']);
const JAVASCRIPT = new Set(['.js', '.mjs', '.cjs']);

// Errors that occur before any code of the module has run, and that jiti avoids. jiti supports all of TypeScript, and
// finds `other.ts` for `./other.js`.
const JITI_COULD = new Set([
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNKNOWN_FILE_EXTENSION',
]);

/**
 * The exports of a module. Throws a CommandError that names the file and says what to do. With `isAgain`, the module and
 * the files it imports are evaluated anew.
 */
export async function loadModule(
  path: string,
  cwd: string,
  { isAgain = false }: { isAgain?: boolean } = {},
): Promise<Record<string, unknown>> {
  const file = resolve(cwd, path);
  checkFile(file);
  try {
    const mark = isAgain ? forgetModules() : '';
    const load = TYPESCRIPT.has(extname(file)) ? loadTypeScript : loadByRuntime;
    return await unlessIdle(load(file, mark), () => {
      throw new CommandError(
        'MODULE_FAILED',
        `${file} could not be loaded: it waits with a top-level await, there or in a file that it imports, for something that can no longer happen.`,
      );
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const message = `${file} could not be loaded: ${describeLoadFailure(error, file)}`;
    throw new CommandError('MODULE_FAILED', message, { cause: error });
  }
}

function checkFile(file: string): void {
  const extension = extname(file);
  if (!TYPESCRIPT.has(extension) && !JAVASCRIPT.has(extension)) {
    throw new CommandError(
      'NOT_A_MODULE',
      `${file} does not have the extension of a module; it should end in ${[...TYPESCRIPT, ...JAVASCRIPT].join(', ')}.`,
    );
  }
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts) throw new CommandError('FILE_NOT_FOUND', `${file} does not exist.`);
  if (!facts.isFile()) throw new CommandError('FILE_NOT_FOUND', `${file} is not a file.`);
}

async function loadTypeScript(file: string, mark: string): Promise<Record<string, unknown>> {
  if (findTypeScriptLoader(file) !== 'runtime') return loadByJiti(file);
  try {
    return await loadByRuntime(file, mark);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!JITI_COULD.has(code) || !hasJiti(file)) throw error;
    return loadByJiti(file);
  }
}

async function loadByRuntime(file: string, mark: string): Promise<Record<string, unknown>> {
  await shareOwnCopy(file);
  return (await import(pathToFileURL(file).href + mark)) as Record<string, unknown>;
}

// Loads TypeScript through jiti, for files that the runtime does not load itself. jiti is taken from the project, or else
// from where this package finds it.
import { createRequire } from 'node:module';
import { CommandError } from '../terminal/usage-error.js';
import { loadPart } from '@inboard/core/util/load-part.js';

interface Jiti {
  import(path: string): Promise<Record<string, unknown>>;
}
type CreateJiti = (from: string, options: Record<string, unknown>) => Jiti;

/** What loads TypeScript here. */
export type TypeScriptLoader = 'runtime' | 'jiti' | 'none';

/** Finds what would load a TypeScript file of a project. */
export function findTypeScriptLoader(file: string): TypeScriptLoader {
  if (isTypeScriptNative()) return 'runtime';
  return findJiti(file) ? 'jiti' : 'none';
}

/** Whether jiti is installed for a file. */
export function hasJiti(file: string): boolean {
  return findJiti(file) !== undefined;
}

/** Loads a TypeScript file through jiti. If jiti is missing, it throws a CommandError that says how to install it. */
export async function loadByJiti(file: string): Promise<Record<string, unknown>> {
  const createJiti = findJiti(file);
  if (!createJiti) {
    throw new CommandError(
      'LOADER_MISSING',
      `${file} is TypeScript, which Node ${process.versions.node} does not load by itself. ` +
        'Install a loader for it with "npm install --save-dev jiti", or use Node 22.18 or newer.',
    );
  }
  const jiti = createJiti(file, {
    // jiti evaluates every file again that it compiles. Without this, an import of this package would get a second
    // copy.
    virtualModules: await loadOwnEntryPoints(),
    interopDefault: false,
    fsCache: false,
  });
  return jiti.import(file);
}

// The project's own copy comes first, because the project's other tools use it.
function findJiti(file: string): CreateJiti | undefined {
  for (const from of [file, import.meta.url]) {
    try {
      const { createJiti } = createRequire(from)('jiti') as { createJiti?: CreateJiti };
      if (createJiti) return createJiti;
    } catch {
      // jiti is not installed there.
    }
  }
  return undefined;
}

async function loadOwnEntryPoints(): Promise<Record<string, unknown>> {
  const entryPoints: Record<string, unknown> = {
    inboard: await loadPart(() => import('@inboard/inboard/index.js')),
    'inboard/core': await loadPart(() => import('@inboard/inboard/core.js')),
    'inboard/testing': await loadPart(() => import('@inboard/inboard/testing.js')),
    'inboard/trace': await loadPart(() => import('@inboard/inboard/trace.js')),
    'inboard/types': {},
    'inboard/sdk-tools': {},
  };
  try {
    entryPoints['inboard/otel'] = await loadPart(() => import('@inboard/inboard/otel.js'));
  } catch (error) {
    // The optional package is not installed. A tools file that needs it fails at its own import.
    if (!isPeerMissing(error)) throw error;
  }
  return entryPoints;
}

/** Whether the runtime did not find a package. Otherwise one of our own files could not be opened. */
function isPeerMissing(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

function isTypeScriptNative(): boolean {
  const { typescript } = process.features as { typescript?: unknown };
  return Boolean(typescript) || process.versions.bun !== undefined || 'deno' in process.versions;
}

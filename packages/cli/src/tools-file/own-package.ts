// Finds this package on disk: its folder, version and entry points.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The name under which tools files import this package. */
export const PACKAGE_NAME = 'inboard';

/** The fields of a package.json that are read. */
export interface PackageManifest {
  name?: string;
  version?: string;
  peerDependencies?: Record<string, string>;
  exports?: Record<string, string | { default?: string }>;
}

/** This package's folder and manifest. Undefined if the code was bundled into another program. */
export function findOwnPackage(): { folder: string; manifest: PackageManifest } | undefined {
  if (!import.meta.url.startsWith('file:')) return undefined;
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const manifest = readManifest(folder);
    if (manifest?.name === PACKAGE_NAME) return { folder: realpathSync(folder), manifest };
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** The version of this package, or `unknown` if the code was bundled into another program. */
export function readOwnVersion(): string {
  return findOwnPackage()?.manifest.version ?? 'unknown';
}

/** The address of every entry point of this package, by the name in an import, such as `inboard/testing`. */
export function listOwnEntryPoints(): Record<string, string> {
  const own = findOwnPackage();
  const entryPoints: Record<string, string> = {};
  for (const [path, target] of Object.entries(own?.manifest.exports ?? {})) {
    const file = typeof target === 'string' ? target : target.default;
    if (!own || file === undefined || !file.endsWith('.js')) continue;
    entryPoints[path.replace(/^\./, PACKAGE_NAME)] = pathToFileURL(join(own.folder, file)).href;
  }
  return entryPoints;
}

/** The package.json of a folder. Undefined if there is none that can be read. */
export function readManifest(folder: string): PackageManifest | undefined {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PackageManifest;
  } catch {
    return undefined;
  }
}

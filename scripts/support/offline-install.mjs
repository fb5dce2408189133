// How the packed package is installed into an empty project without a network.
import { join } from 'node:path';

/**
 * The arguments of npm. It gets a cache of its own in `folder`: with one that knows some of the optional peers and not others, it
 * refuses to resolve them offline.
 */
export function offlineInstall(folder, tarballs) {
  const cache = join(folder, 'npm-cache');
  return [
    'install',
    '--offline',
    '--cache',
    cache,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...tarballs,
  ];
}

// Where this package was installed from, as npm wrote it down: a new project installs the same one.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isRecord } from '@inboard/core/util/guards.js';
import { findOwnPackage, PACKAGE_NAME } from '../tools-file/own-package.js';

/** `file` is a tarball or a folder on this machine. The source is unknown for other package managers and in a checkout. */
export type InstallSource =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'registry' }
  | { readonly from: 'unknown' };

/** Finds the source of the package in `folder`, by default of this one. */
export function findInstallSource(folder = findOwnPackage()?.folder): InstallSource {
  if (folder === undefined || basename(dirname(folder)) !== 'node_modules') return { from: 'unknown' };
  const project = dirname(dirname(folder));
  const resolved = readResolved(join(project, 'node_modules', '.package-lock.json'));
  if (resolved === undefined) return { from: 'unknown' };
  if (!resolved.startsWith('file:')) return { from: 'registry' };
  const path = resolve(project, decodePath(resolved.slice('file:'.length)));
  return existsSync(path) ? { from: 'file', path } : { from: 'unknown' };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readResolved(lockfile: string): string | undefined {
  try {
    const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages?: unknown };
    const entry = isRecord(packages) ? packages[`node_modules/${PACKAGE_NAME}`] : undefined;
    const resolved = isRecord(entry) ? entry['resolved'] : undefined;
    return typeof resolved === 'string' ? resolved : undefined;
  } catch {
    return undefined;
  }
}

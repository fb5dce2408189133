// Reads the version of a CLI, and whether it is a fake, from its path. Starts nothing.
import { basename, dirname } from 'node:path';
import { readJsonFile, type OperatingSystem } from '../operating-system.js';

/** The prefix of the folders in which `inboard/testing` puts its fake CLIs. */
export const FAKE_CLI_FOLDER = 'inboard-fake-';

const CLI_PACKAGE = /^@anthropic-ai\/claude-code(?:-(?:darwin|linux|win32)-[a-z0-9-]+)?$/;
const SDK_PACKAGE = /^@anthropic-ai\/claude-agent-sdk-(?:darwin|linux|win32)-[a-z0-9-]+$/;
const PARENTS_SEARCHED = 3;

/** Whether a program is a fake CLI of `inboard/testing`, which cannot spend money. */
export function isFakeCli(path: string | undefined): boolean {
  return path !== undefined && basename(dirname(path)).startsWith(FAKE_CLI_FOLDER);
}

/** The name and version of the CLI or SDK package that a file belongs to. Looks up to three folders above the file's. */
export function readOwnPackage(
  path: string,
  os: OperatingSystem,
): { name: string; version: string } | undefined {
  let folder = os.path.dirname(path);
  for (let step = 0; step <= PARENTS_SEARCHED; step += 1) {
    const content = readJsonFile(os.path.join(folder, 'package.json'), os);
    const { name, version } = (content ?? {}) as { name?: unknown; version?: unknown };
    const isKnown = typeof name === 'string' && (CLI_PACKAGE.test(name) || SDK_PACKAGE.test(name));
    if (isKnown && typeof version === 'string') return { name, version };
    folder = os.path.dirname(folder);
  }
  return undefined;
}

/** The CLI's version according to its package or its install path; undefined if neither shows it. */
export function readVersionFromPath(path: string, os: OperatingSystem): string | undefined {
  const real = os.realPath(path) ?? path;
  const own = readOwnPackage(real, os);
  if (own) {
    if (!SDK_PACKAGE.test(own.name)) return own.version;
    // A platform package of the agent SDK contains the CLI whose version has the same last number.
    const [, patch] = /^0\.3\.(\d+)/.exec(own.version) ?? [];
    return patch === undefined ? undefined : `2.1.${patch}`;
  }
  // The CLI's own installer names the file or folder of each version after it.
  return /[\\/]versions[\\/](\d+\.\d+\.\d+)(?:[\\/]|$)/.exec(real)?.[1];
}

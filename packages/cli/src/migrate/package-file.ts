// Reads from a package.json whether it depends on the official package, and what its scripts load. The file is never
// changed here: a dependency and its lockfile must change together, and only the package manager can do that.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from '@inboard/core/util/guards.js';
import { OFFICIAL_PACKAGE } from './program/official-package.js';
import { isPatch } from './rules/server-rules.js';

/** A dependency on the official package. */
export interface OfficialDependency {
  file: string;
  field: string;
  range: string;
  /** The position of the package's name in the text. */
  offset: number;
}

/** What a package.json says about the official package. */
export interface PackageFile {
  dependencies: OfficialDependency[];
  /** The places where a script loads a module that patches the official package by its name. */
  patches: { offset: number; text: string }[];
}

const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Reads a package.json. Throws if the text is not JSON. */
export function readPackageFile(file: string, text: string): PackageFile {
  const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (!isRecord(manifest)) return { dependencies: [], patches: [] };
  const dependencies = FIELDS.flatMap((field) => {
    const listed = manifest[field];
    const range = isRecord(listed) ? listed[OFFICIAL_PACKAGE] : undefined;
    if (typeof range !== 'string') return [];
    const offset = text.indexOf(`"${OFFICIAL_PACKAGE}"`, Math.max(0, text.indexOf(`"${field}"`)));
    return [{ file, field, range, offset: Math.max(0, offset) }];
  });
  const scripts = isRecord(manifest['scripts']) ? Object.values(manifest['scripts']) : [];
  const patches = scripts
    .filter((script) => typeof script === 'string')
    .flatMap((script) => script.split(/[\s=]+/).filter(isPatch))
    .map((word) => ({ offset: Math.max(0, text.indexOf(word)), text: word }));
  return { dependencies, patches };
}

/** A command that replaces a dependency, and the folder of the package.json that it is for. */
export interface InstallLine {
  folder: string;
  command: string;
}

const MANAGERS = [
  ['pnpm-lock.yaml', 'pnpm', 'remove', 'add'],
  ['yarn.lock', 'yarn', 'remove', 'add'],
  ['bun.lock', 'bun', 'remove', 'add'],
  ['bun.lockb', 'bun', 'remove', 'add'],
  ['package-lock.json', 'npm', 'uninstall', 'install'],
] as const;

/** The command lines that replace dependencies. Peer dependencies are left out: no package manager command replaces them. */
export function writeInstallLines(dependencies: readonly OfficialDependency[], cwd: string): InstallLine[] {
  const lines = dependencies
    .filter(({ field }) => field !== 'peerDependencies')
    .map((each) => ({ folder: dirname(each.file), command: writeInstallLine(each, cwd) }));
  return [...new Map(lines.map((line) => [`${line.folder}: ${line.command}`, line])).values()];
}

/** The line that replaces a dependency, for the package manager whose lockfile is nearest. */
function writeInstallLine({ file, field }: OfficialDependency, cwd: string): string {
  const [, command, remove, add] = findManager(dirname(resolve(cwd, file)));
  const flag =
    field === 'devDependencies' ? (command === 'npm' || command === 'pnpm' ? ' --save-dev' : ' --dev') : '';
  // The official package brings a CLI with it. Without that package, the project must install the CLI itself.
  return `${command} ${remove} ${OFFICIAL_PACKAGE} && ${command} ${add}${flag} inboard @anthropic-ai/claude-code`;
}

function findManager(start: string): readonly [string, string, string, string] {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = MANAGERS.find(([lockfile]) => existsSync(join(folder, lockfile)));
    if (found) return found;
    if (dirname(folder) === folder) return ['package-lock.json', 'npm', 'uninstall', 'install'];
  }
}

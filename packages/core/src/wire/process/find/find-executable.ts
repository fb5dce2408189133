// Finds the CLI. It looks for the file that the caller names, then that of INBOARD_CLI, then for an installed package,
// then on PATH. If a named file cannot be used, that is an error at once. Other unusable files are skipped, and listed in
// the error if nothing is found.
import { ExecutableNotFoundError, LaunchError } from '../../../errors.js';
import { inspectExecutable, isScriptName } from './inspect-executable.js';
import type { ExecutableKind, UnusableFile, UsableFile } from './inspect-executable.js';
import { listForeignPackages, listPackageFiles, listSiblingFiles } from './installed-package.js';
import { hostSystem, readVariable, type Environment, type OperatingSystem } from '../operating-system.js';
import { listProgramFolders } from './program-folders.js';
import { START_FOLDER } from '../start-folder.js';
import { listPathFiles } from './search-path.js';

/** A CLI that can be started, and where it was found. */
export interface FoundExecutable {
  path: string;
  /** `script` needs a JavaScript runtime; see `buildCommand`. */
  kind: ExecutableKind;
  source: 'option' | 'environment' | 'package' | 'path';
  /** The CLI's version, if its path or its file shows it. Otherwise `probeCliVersion` can ask the CLI. */
  version?: string;
}

/** The places to search. */
export interface ExecutableSearch {
  /** The option `pathToClaudeCodeExecutable`: a path, absolute or relative to `startFolder`, or a bare name for PATH. */
  explicit?: string;
  /** The CLI's environment. If it has no INBOARD_CLI or PATH, that of this process is used. */
  env: Environment;
  /** The folder that relative paths start from. Default: the working directory when this package was loaded. */
  startFolder?: string | undefined;
  /**
   * Whether the CLI may run on another machine (a custom spawner). Then a named file is not checked, and `claude` is
   * returned if nothing is found here.
   */
  elsewhere?: boolean;
  /**
   * The folders from which packages are searched: in their `node_modules`, and in those of the folders above. Default:
   * the folders that the program's code comes from (`program-folders`).
   */
  packagesFrom?: readonly string[];
  os?: OperatingSystem;
}

const OPTION = 'pathToClaudeCodeExecutable';
const VARIABLE = 'INBOARD_CLI';
const HINT =
  'Install it with "npm install @anthropic-ai/claude-code", or name it with the option ' +
  `"${OPTION}" or the environment variable ${VARIABLE}.`;

/** The CLI to start. Throws `ExecutableNotFoundError` or `LaunchError` before a process is started. */
export function findExecutable(search: ExecutableSearch): FoundExecutable {
  const { explicit, env, os = hostSystem } = search;
  if (explicit !== undefined) return findNamed({ name: explicit, source: 'option', search, os });
  // The program may give the CLI an environment of its own without the variable. So the variable of this process counts
  // as well.
  const variable = readVariable(VARIABLE, env, os) ?? readVariable(VARIABLE, os.env, os);
  if (variable) return findNamed({ name: variable, source: 'environment', search, os });
  const tried: string[] = [];
  const found = findInstalled(search, os, tried) ?? findOnPath('claude', search, os, tried);
  if (found) return found;
  if (search.elsewhere) return { path: 'claude', kind: 'native', source: 'path' };
  throw createNotFoundError(search, os, tried);
}

interface NamedExecutable {
  name: string;
  source: 'option' | 'environment';
  search: ExecutableSearch;
  os: OperatingSystem;
}

function findNamed({ name, source, search, os }: NamedExecutable): FoundExecutable {
  const who = source === 'option' ? `The option "${OPTION}"` : `The environment variable ${VARIABLE}`;
  if (name === '') {
    throw new ExecutableNotFoundError(`${who} is an empty string. Leave it out or name a file.`, []);
  }
  if (search.elsewhere) return { path: name, kind: isScriptName(name) ? 'script' : 'native', source };
  const tried: string[] = [];
  const isBare = !/[\\/]/.test(name);
  // The bare name of a script means a file, and is not looked up on PATH. The official SDK does the same.
  if (isBare && !isScriptName(name)) {
    const found = findOnPath(name, search, os, tried);
    if (found) return { ...found, source };
    throw new ExecutableNotFoundError(
      `${who} is "${name}", but there is no such program on PATH. To name a file, write its path ("./${name}" for one in the working directory).${listTried(tried)}`,
      tried,
    );
  }
  const path = os.path.resolve(search.startFolder ?? START_FOLDER ?? '', name);
  const verdict = inspectOrRecover(path, os);
  if ('kind' in verdict) return describe(verdict, source);
  throw createRefusal({ who, path, name, verdict });
}

function findInstalled(
  search: ExecutableSearch,
  os: OperatingSystem,
  tried: string[],
): FoundExecutable | undefined {
  const seen = new Set<string>();
  for (const from of listPackageRoots(search, os)) {
    let isEmpty = true;
    for (const path of listPackageFiles(from, os)) {
      isEmpty = false;
      if (seen.has(path)) continue;
      seen.add(path);
      const verdict = inspectExecutable(path, os);
      if ('kind' in verdict) return describe(verdict, 'package');
      tried.push(describeTry(path, verdict));
    }
    if (isEmpty) tried.push(`${os.path.join(from, 'node_modules')} and those in the folders above`);
  }
  return undefined;
}

// Neither the agent's working directory nor that of this process is searched. Either may be an untrusted repository, and
// a program found there would run without a permission question. The folders of this package and of the program's main
// file are safe, because their code runs already.
function listPackageRoots(search: ExecutableSearch, os: OperatingSystem): readonly string[] {
  return search.packagesFrom ?? listProgramFolders(os);
}

/**
 * A CLI that is installed in the start folder or above it, and is used only if the caller names it. Undefined if there is
 * none.
 */
export function findIgnoredCli(search: ExecutableSearch): string | undefined {
  const { os = hostSystem, startFolder = START_FOLDER } = search;
  if (startFolder === undefined) return undefined;
  const known = new Set(listPackageRoots(search, os).flatMap((root) => [...listPackageFiles(root, os)]));
  return [...listPackageFiles(startFolder, os)].find(
    (path) => !known.has(path) && os.statFile(path)?.kind === 'file',
  );
}

function findOnPath(
  name: string,
  search: ExecutableSearch,
  os: OperatingSystem,
  tried: string[],
): FoundExecutable | undefined {
  for (const path of listPathFiles({ name, env: search.env, os })) {
    const verdict = inspectOrRecover(path, os);
    if ('kind' in verdict) return describe(verdict, 'path');
    tried.push(describeTry(path, verdict));
  }
  return undefined;
}

// If install scripts do not run, the CLI's package has only a placeholder. The real program is in a package beside it.
function inspectOrRecover(path: string, os: OperatingSystem): UsableFile | UnusableFile {
  const verdict = inspectExecutable(path, os);
  if ('kind' in verdict || verdict.problem !== 'stub') return verdict;
  for (const sibling of listSiblingFiles(path, os)) {
    const other = inspectExecutable(sibling, os);
    if ('kind' in other) return other;
  }
  return verdict;
}

function describe(file: UsableFile, source: FoundExecutable['source']): FoundExecutable {
  const found: FoundExecutable = { path: file.path, kind: file.kind, source };
  if (file.version !== undefined) found.version = file.version;
  return found;
}

function describeTry(path: string, verdict: UnusableFile): string {
  return verdict.problem === 'missing' ? path : `${path} (${verdict.reason})`;
}

function listTried(tried: readonly string[]): string {
  return tried.length === 0
    ? ''
    : `\nTried, in this order:\n${tried.map((line) => `  - ${line}`).join('\n')}`;
}

/** Explains why a CLI that exists is not used, and how to use it. */
export function explainIgnoredCli(path: string): string {
  return (
    `The CLI at ${path} is not used, because neither this package nor the running program is installed there: it ` +
    `could have come with a repository. To use it, name it with the option "${OPTION}" or the environment variable ${VARIABLE}.`
  );
}

interface Refusal {
  who: string;
  path: string;
  name: string;
  verdict: UnusableFile;
}

function createRefusal({ who, path, name, verdict }: Refusal): ExecutableNotFoundError | LaunchError {
  const home = name.startsWith('~') ? ' "~" is not expanded here.' : '';
  const message = `${who} names ${path}, which ${verdict.reason}.${home}`;
  if (verdict.problem === 'not-permitted') return new LaunchError('EXECUTABLE_NOT_PERMITTED', message);
  if (verdict.problem === 'wrong-platform') {
    return new LaunchError('WRONG_PLATFORM', `${message} Install the CLI on this machine. ${HINT}`);
  }
  return new ExecutableNotFoundError(`${message} ${verdict.problem === 'stub' ? HINT : ''}`.trimEnd(), [
    path,
  ]);
}

function createNotFoundError(
  search: ExecutableSearch,
  os: OperatingSystem,
  tried: readonly string[],
): ExecutableNotFoundError {
  const foreign = new Set(listPackageRoots(search, os).flatMap((root) => listForeignPackages(root, os)));
  const copied =
    foreign.size === 0
      ? ''
      : `\nInstalled for systems other than this one (${os.platform}-${os.arch}): ${[...foreign].join(', ')}. ` +
        'Was node_modules copied from another machine? Install the packages again on this one.';
  const ignored = findIgnoredCli(search);
  const local = ignored === undefined ? '' : `\n${explainIgnoredCli(ignored)}`;
  return new ExecutableNotFoundError(
    `No Claude CLI was found. ${HINT}${listTried(tried)}${local}${copied}`,
    tried,
  );
}

// The places of the CLI's files, and the name of a project's transcript folder. The environment is read at every call,
// because a program may change it.
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hostSystem, readVariable, type Environment } from '../../../wire/process/operating-system.js';

/** Not every system allows longer names. A longer name is cut and made unique by a hash. */
const MAX_KEY_LENGTH = 200;

/** The folder of settings and transcripts: CLAUDE_CONFIG_DIR, or else `.claude` in the home folder. */
export function findConfigFolder(env: Environment = process.env): string {
  const chosen = readVariable('CLAUDE_CONFIG_DIR', env, hostSystem);
  // The CLI composes Unicode characters before it uses the name, so a decomposed name leads to the same folder.
  return (chosen ? chosen : join(findHome(env), '.claude')).normalize('NFC');
}

/** The folder that holds one transcript folder per project. */
export function findProjectsFolder(env: Environment = process.env): string {
  return join(findConfigFolder(env), 'projects');
}

/** The CLI's own state file, `.claude.json`: inside the chosen config folder, or beside the default one. */
export function findGlobalConfigFile(env: Environment = process.env): string {
  return readVariable('CLAUDE_CONFIG_DIR', env, hostSystem)
    ? join(findConfigFolder(env), '.claude.json')
    : join(findHome(env), '.claude.json');
}

/** The name of the transcript folder of a working directory. Different paths can get the same name. */
export function createProjectKey(path: string): string {
  const safe = path.replace(/[^a-zA-Z0-9]/g, '-');
  return safe.length <= MAX_KEY_LENGTH ? safe : `${safe.slice(0, MAX_KEY_LENGTH)}-${hashText(path)}`;
}

/** The real path of a directory, as the CLI sees it. If the directory does not exist, the given path. */
export async function resolveDirectory(dir: string): Promise<string> {
  try {
    return await realpath(dir);
  } catch {
    // A project can be gone while its sessions still exist.
    return dir;
  }
}

/** The names in a folder, sorted; empty when it cannot be read. */
export async function readFolderNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}

function findHome(env: Environment): string {
  const home = readVariable(process.platform === 'win32' ? 'USERPROFILE' : 'HOME', env, hostSystem);
  return home ? home : homedir();
}

function hashText(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = ((hash << 5) - hash + text.charCodeAt(index)) | 0;
  }
  return Math.abs(hash).toString(36);
}

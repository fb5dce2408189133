// Gives a CLI with a temporary config folder what it needs from the user's own: the settings, the CLI's state file, the
// user's definitions, and the login where the environment has none. Otherwise a resumed session would run logged out
// and with default settings. Nothing else is copied, because a folder of a killed host stays until the next one sweeps
// it.
import { readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isRecord, parseRecord } from '../../../util/guards.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { listWorktrees } from '../folders/git-worktrees.js';
import { chooseLogin, pickCredentials, type LoginKind } from './pick-login.js';
import { findConfigFolder, findGlobalConfigFile, resolveDirectory } from '../folders/project-folders.js';

/** Folders of definitions. They are linked, because they may be large and no session changes them. */
const FOLDERS = ['agents', 'commands', 'skills', 'output-styles', 'rules', 'plugins'];

/** The CLI that the config is copied for. */
export interface ConfigUser {
  /** The environment the CLI would get. */
  readonly env: Environment;
  /** The CLI's working directory. */
  readonly cwd: string;
}

/**
 * Copies or links the existing files, readable by the owner only. Missing or unreadable ones are left out. Rejects when
 * a copy cannot be written, because half of a file would be worse than none.
 */
export async function copyUserConfig(configDir: string, { env, cwd }: ConfigUser): Promise<void> {
  const source = findConfigFolder(env);
  const stored = parseRecord((await read(join(source, '.credentials.json')))?.toString('utf8') ?? '') ?? {};
  const login = chooseLogin(env, stored);
  const credentials = pickCredentials(stored, login);
  if (credentials) await write(join(configDir, '.credentials.json'), JSON.stringify(credentials));
  await copyState(findGlobalConfigFile(env), join(configDir, '.claude.json'), { cwd, login });
  for (const name of ['settings.json', 'CLAUDE.md']) {
    const content = await read(join(source, name));
    if (content) await write(join(configDir, name), content);
  }
  for (const folder of FOLDERS) {
    // The real path, so that nothing is linked where there is nothing. A junction needs no special right on Windows; on
    // other systems it is a symbolic link.
    const target = await attempt(() => realpath(join(source, folder)));
    if (target !== undefined) await symlink(target, join(configDir, folder), 'junction');
  }
}

// Only this project's part is copied, because the file has the servers of every project, with their keys.
async function copyState(
  from: string,
  to: string,
  { cwd, login }: { cwd: string; login: LoginKind },
): Promise<void> {
  const state = parseRecord((await read(from))?.toString('utf8') ?? '');
  if (state === undefined) return;
  if (login !== 'key') delete state['primaryApiKey'];
  if (isRecord(state['projects'])) state['projects'] = await keepProject(state['projects'], cwd);
  await write(to, JSON.stringify(state));
}

// A project is named by its folder or that of its repository. Trust is inherited from every folder above.
async function keepProject(projects: Record<string, unknown>, cwd: string): Promise<Record<string, unknown>> {
  const real = await resolveDirectory(cwd);
  const places = [resolve(cwd), real, ...(await listWorktrees(real))].map(asFolder);
  return Object.fromEntries(
    Object.entries(projects).filter(([path]) => places.some((place) => place.startsWith(asFolder(path)))),
  );
}

// The slash at the end distinguishes a folder from one whose name begins with the same letters. Windows has both
// separators.
function asFolder(path: string): string {
  return `${path.replaceAll(sep, '/').replace(/(?<!\/)\/+$/, '')}/`;
}

async function read(path: string): Promise<Buffer | undefined> {
  return await attempt(() => readFile(path));
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
}

async function attempt<Value>(step: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await step();
  } catch {
    // The file is missing or not readable. The CLI goes without it, and reports it if it cannot.
    return undefined;
  }
}

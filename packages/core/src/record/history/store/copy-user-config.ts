// Copies from the user's config folder what a CLI with a temporary one needs: settings, CLAUDE.md, the CLI's state file,
// the user's definitions, and logins (`pick-login`). Otherwise a resumed session would run logged out and with default
// settings. Nothing else is copied, because the folder of a process that was killed stays on disk until a later process
// sweeps it.
import { cp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isRecord, parseRecord } from '../../../util/guards.js';
import { lacksLinks } from '../../../util/lacks-links.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { listWorktrees } from '../folders/git-worktrees.js';
import { chooseLogin, pickCredentials, type LoginKind } from './pick-login.js';
import { findConfigFolder, findGlobalConfigFile, resolveDirectory } from '../folders/project-folders.js';

/** Folders of definitions. They are linked, because they may be large and no session changes them. */
const FOLDERS = ['agents', 'commands', 'skills', 'output-styles', 'rules', 'plugins'];

/** The CLI that the config is copied for. */
export interface ConfigUser {
  /** The environment that the CLI would get without the temporary folder. */
  readonly env: Environment;
  /** The CLI's working directory. */
  readonly cwd: string;
}

/**
 * Copies the files, readable by the owner only, and links the folders. Missing or unreadable ones are left out. Rejects
 * when a copy cannot be written, because half of a file would be worse than none.
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
    // `realpath` fails for a missing folder, which is then not linked. On Windows a junction needs no special right. On
    // other systems the link is symbolic.
    const target = await attempt(() => realpath(join(source, folder)));
    if (target !== undefined) await linkFolder(target, join(configDir, folder));
  }
}

// Not every file system has links.
async function linkFolder(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path, 'junction');
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await cp(target, path, { recursive: true });
  }
}

// The state file has the MCP servers of every project, with their keys. Only this project's part is copied.
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

// The CLI names a project by its folder or by the folder of its repository. The entries of all folders above are kept as
// well, because trust is inherited from them.
async function keepProject(projects: Record<string, unknown>, cwd: string): Promise<Record<string, unknown>> {
  const real = await resolveDirectory(cwd);
  const places = [resolve(cwd), real, ...(await listWorktrees(real))].map(asFolder);
  return Object.fromEntries(
    Object.entries(projects).filter(([path]) => places.some((place) => place.startsWith(asFolder(path)))),
  );
}

// Makes the path end with one slash, so that a folder does not match one whose name only begins with the same letters.
// On Windows, backslashes become slashes.
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
    // The file is missing or not readable. The CLI then runs without it, or reports that it cannot.
    return undefined;
  }
}

// What a CLI with a temporary config folder needs from the user's own: the settings, the CLI's state file, the user's
// definitions, and the login where the environment has none. Without it a resumed session would run logged out and with
// default settings. No more than that: a folder that a killed host left behind lies there until the next one sweeps it.
import { copyFile, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isRecord, parseRecord } from '../../../util/guards.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { listWorktrees } from '../folders/git-worktrees.js';
import { findConfigFolder, findGlobalConfigFile, resolveDirectory } from '../folders/project-folders.js';

/** Definitions; linked, because they may be large and no session changes them. */
const FOLDERS = ['agents', 'commands', 'skills', 'output-styles', 'rules', 'plugins'];

/** With any of these the CLI does not look at a stored login (seen on 2.1.33 and 2.1.325). */
const LOGIN_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

/** For whom the config is copied. */
export interface ConfigUser {
  /** The environment the CLI would get. */
  readonly env: Environment;
  /** The CLI's working directory. */
  readonly cwd: string;
}

/** Copies or links what is there, readable by the owner only; what is missing or unreadable is left out. */
export async function copyUserConfig(configDir: string, { env, cwd }: ConfigUser): Promise<void> {
  const source = findConfigFolder(env);
  const needsLogin = !LOGIN_VARIABLES.some((name) => env[name]);
  await copyCredentials(join(source, '.credentials.json'), join(configDir, '.credentials.json'), needsLogin);
  await copyState(findGlobalConfigFile(env), join(configDir, '.claude.json'), { cwd, needsLogin });
  await attempt(async () => {
    await writeFile(join(configDir, 'settings.json'), await readFile(join(source, 'settings.json')), PRIVATE);
  });
  await attempt(() => copyFile(join(source, 'CLAUDE.md'), join(configDir, 'CLAUDE.md')));
  for (const folder of FOLDERS) {
    await attempt(async () => {
      // The real path, so that nothing is linked where there is nothing. A junction, because it needs no special
      // right on Windows; elsewhere it is a symbolic link.
      await symlink(await realpath(join(source, folder)), join(configDir, folder), 'junction');
    });
  }
}

const PRIVATE = { mode: 0o600 };

// A refresh token, of the login or of an MCP server's, can be used once: a copy that used it would end the user's own.
async function copyCredentials(from: string, to: string, needsLogin: boolean): Promise<void> {
  await attempt(async () => {
    const credentials = parseRecord(await readFile(from, 'utf8'));
    if (credentials === undefined) return;
    if (!needsLogin) delete credentials['claudeAiOauth'];
    if (Object.keys(credentials).length === 0) return;
    const text = JSON.stringify(credentials, (name, value: unknown) =>
      name === 'refreshToken' ? undefined : value,
    );
    await writeFile(to, text, PRIVATE);
  });
}

// The file also has what is known of every other project, such as the servers of each with their keys.
async function copyState(
  from: string,
  to: string,
  { cwd, needsLogin }: { cwd: string; needsLogin: boolean },
): Promise<void> {
  await attempt(async () => {
    const state = parseRecord(await readFile(from, 'utf8'));
    if (state === undefined) return;
    if (!needsLogin) delete state['primaryApiKey'];
    if (isRecord(state['projects'])) state['projects'] = await keepProject(state['projects'], cwd);
    await writeFile(to, JSON.stringify(state), PRIVATE);
  });
}

// A project is known by its folder, or that of its repository; trust is inherited from any folder above.
async function keepProject(projects: Record<string, unknown>, cwd: string): Promise<Record<string, unknown>> {
  const real = await resolveDirectory(cwd);
  const places = [resolve(cwd), real, ...(await listWorktrees(real))].map(asFolder);
  return Object.fromEntries(
    Object.entries(projects).filter(([path]) => places.some((place) => place.startsWith(asFolder(path)))),
  );
}

// With a slash at the end, so that a folder is not taken for one whose name begins with its own. Windows has both kinds.
function asFolder(path: string): string {
  return `${path.replaceAll(sep, '/').replace(/(?<!\/)\/+$/, '')}/`;
}

async function attempt(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch {
    // Missing or not readable: the CLI goes without it, and reports it if it cannot.
  }
}

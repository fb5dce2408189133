// What a CLI with a temporary config folder needs from the user's own: the login, the settings, the CLI's state file, and
// the user's definitions. Without it a resumed session would run logged out and with default settings.
import { copyFile, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, parseRecord } from '../../../util/guards.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { findConfigFolder, findGlobalConfigFile } from '../folders/project-folders.js';

/** Definitions; linked, because they may be large and no session changes them. */
const FOLDERS = ['agents', 'commands', 'skills', 'output-styles', 'rules', 'plugins'];

/** Copies or links what is there, readable by the owner only; what is missing or unreadable is left out. */
export async function copyUserConfig(configDir: string, env: Environment): Promise<void> {
  const source = findConfigFolder(env);
  await copyCredentials(join(source, '.credentials.json'), join(configDir, '.credentials.json'));
  await copyPrivate(findGlobalConfigFile(env), join(configDir, '.claude.json'));
  await copyPrivate(join(source, 'settings.json'), join(configDir, 'settings.json'));
  await attempt(() => copyFile(join(source, 'CLAUDE.md'), join(configDir, 'CLAUDE.md')));
  for (const folder of FOLDERS) {
    await attempt(async () => {
      // The real path, so that nothing is linked where there is nothing. A junction, because it needs no special
      // right on Windows; elsewhere it is a symbolic link.
      await symlink(await realpath(join(source, folder)), join(configDir, folder), 'junction');
    });
  }
}

// A refresh token can be used once: a copy that used it would end the user's own login.
async function copyCredentials(from: string, to: string): Promise<void> {
  await attempt(async () => {
    const credentials = parseRecord(await readFile(from, 'utf8'));
    if (credentials === undefined) return;
    const { claudeAiOauth: login } = credentials;
    if (isRecord(login)) delete login['refreshToken'];
    await writeFile(to, JSON.stringify(credentials), { mode: 0o600 });
  });
}

async function copyPrivate(from: string, to: string): Promise<void> {
  await attempt(async () => writeFile(to, await readFile(from), { mode: 0o600 }));
}

async function attempt(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch {
    // Missing or not readable: the CLI goes without it, and reports it if it cannot.
  }
}

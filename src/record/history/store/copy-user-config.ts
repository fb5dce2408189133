// What a CLI with a config folder of its own needs of the user's: how to log in, the settings, the CLI's notes,
// and what the user has defined. Without it a resumed session would be a stranger in its own home.
import { isRecord } from '../../../util/guards.js';
import { copyFile, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findConfigFolder, findGlobalConfigFile, type Environment } from '../folders/config-folder.js';
import { parseEntry } from '../transcript/transcript-entry.js';

/** Definitions; linked, because they may be many and are not changed by a session. */
const FOLDERS = ['agents', 'commands', 'skills', 'output-styles', 'rules', 'plugins'];

/** Copies or links what is there, for the owner's eyes only; what is missing or unreadable is left out. */
export async function copyUserConfig(configDir: string, env: Environment): Promise<void> {
  const source = findConfigFolder(env);
  await copyCredentials(join(source, '.credentials.json'), join(configDir, '.credentials.json'));
  await copyPrivate(findGlobalConfigFile(env), join(configDir, '.claude.json'));
  await copyPrivate(join(source, 'settings.json'), join(configDir, 'settings.json'));
  await attempt(() => copyFile(join(source, 'CLAUDE.md'), join(configDir, 'CLAUDE.md')));
  for (const folder of FOLDERS) {
    await attempt(async () => {
      // The real path, because a link to a link, or to nothing, helps nobody. A junction, because only it
      // needs no special right on Windows; elsewhere it is a symbolic link.
      await symlink(await realpath(join(source, folder)), join(configDir, folder), 'junction');
    });
  }
}

// A refresh token can be used once. The copy must not use it up and take the user's own login with it.
async function copyCredentials(from: string, to: string): Promise<void> {
  await attempt(async () => {
    const credentials = parseEntry(await readFile(from, 'utf8'));
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
    // Not there, or not ours to read: the CLI does without, and says so if it cannot.
  }
}

// Where the CLI keeps its things. Asked anew at every call: a program may change its environment.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Variables by name; what is not set is undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of settings and transcripts: CLAUDE_CONFIG_DIR, else `.claude` in the home folder. */
export function findConfigFolder(env: Environment = process.env): string {
  const chosen = env['CLAUDE_CONFIG_DIR'];
  // The CLI composes the name before it uses it, so a decomposed one leads to the same folder.
  return (chosen ? chosen : join(findHome(env), '.claude')).normalize('NFC');
}

/** The folder with one folder of transcripts per project. */
export function findProjectsFolder(env: Environment = process.env): string {
  return join(findConfigFolder(env), 'projects');
}

/** The CLI's own notes, `.claude.json`: in the chosen config folder, or beside the default one. */
export function findGlobalConfigFile(env: Environment = process.env): string {
  return env['CLAUDE_CONFIG_DIR']
    ? join(findConfigFolder(env), '.claude.json')
    : join(findHome(env), '.claude.json');
}

function findHome(env: Environment): string {
  const home = process.platform === 'win32' ? env['USERPROFILE'] : env['HOME'];
  return home ? home : homedir();
}

// Who runs a session of which a transcript is on this disk: before the transcript is taken for what a crash has left, each place is asked
// that can tell.
import { lstat, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compareVersions } from '../../../wire/process/find/compare-versions.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';
import { describeSelf } from '../../../wire/process/owned-folder.js';
import { isAbandoned, readOwner } from '../../../wire/process/sweep-folders.js';
import { findConfigFolder, readFolderNames } from '../folders/project-folders.js';
import { readFileEnds } from '../transcript/transcript-ends.js';
import { findNotesFolder, isNoteAlive, NOTES_SINCE, readNotes } from './process-notes.js';
import { isClaimedBefore, type SessionClaim } from './session-claims.js';

/** A transcript whose session was written to so lately may be running, where its CLI leaves no note. */
const RECENT_MS = 5 * 60 * 1000;

/** The file beside a private config folder that says which new session begins there, and whose place it takes. */
const BEGINS_FILE = 'begins.json';

/** A session, and what is known of it. */
export interface RunnerSearch {
  readonly sessionId: string;
  /** Its transcript. */
  readonly transcript: string;
  readonly env: Environment;
  readonly store: SessionStore;
  /** The claim of whoever asks. */
  readonly claim?: SessionClaim | undefined;
  /** The private config folder of whoever asks. */
  readonly ownConfig: string;
}

/** Says beside a private config folder that a session begins there, for other processes that look. */
export async function noteBeginning(configDir: string, sessionId: string, env: Environment): Promise<void> {
  const beginning = describeBeginning(sessionId, findConfigFolder(env));
  await writeFile(join(dirname(configDir), BEGINS_FILE), beginning, { mode: 0o600 });
}

function describeBeginning(sessionId: string, configFolder: string): string {
  return JSON.stringify({ sessionId: sessionId.toLowerCase(), configFolder });
}

/** Why the session counts as running, in words that end a sentence; undefined when nobody runs it. */
export async function findRunner(search: RunnerSearch): Promise<string | undefined> {
  const sessionId = search.sessionId.toLowerCase();
  const configFolder = findConfigFolder(search.env);
  if (isClaimedBefore(sessionId, { configFolder, store: search.store }, search.claim))
    return 'it has a CLI in this process';
  const configs = [configFolder];
  for (const folder of await listPrivateFolders()) {
    const configDir = join(folder, 'config');
    const begun = await readFile(join(folder, BEGINS_FILE), 'utf8').catch(() => undefined);
    if (configDir === search.ownConfig || begun !== describeBeginning(sessionId, configFolder)) continue;
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: 0 }));
    const owner = await readOwner(folder);
    if (!isAbandoned(owner, { self: describeSelf(), ageMs: Date.now() - mtimeMs }))
      return `process ${owner?.pid ?? 'unknown'} has begun it (${folder})`;
    // Its CLI may have outlived it.
    configs.push(configDir);
  }
  let hasEnded = false;
  for (const config of configs) {
    const folder = findNotesFolder(config);
    for (const note of await readNotes(folder, await readFolderNames(folder))) {
      if (note.sessionId !== sessionId) continue;
      if (isNoteAlive(note)) return `it runs in process ${note.pid} (${note.path})`;
      hasEnded = true;
    }
  }
  return hasEnded ? undefined : await suspectUse(search.transcript);
}

/** For a session of which there is no note: whether its CLI would have left one, and if not, what the file itself tells. */
async function suspectUse(transcript: string): Promise<string | undefined> {
  const ends = await readFileEnds(transcript);
  const version = ends?.tail
    .match(/"version":"(\d+\.\d+\.\d+)/g)
    ?.at(-1)
    ?.slice('"version":"'.length);
  if (version !== undefined && compareVersions(version, NOTES_SINCE) >= 0) return undefined;
  const facts = await stat(transcript).catch(() => undefined);
  if (!facts) return undefined;
  const self = process.getuid?.();
  if (self !== undefined && facts.uid !== self)
    return `its transcript belongs to another user (${facts.uid}), and its CLI leaves no note of whether it runs`;
  const ageMs = Date.now() - facts.mtimeMs;
  if (ageMs >= RECENT_MS) return undefined;
  return `its transcript was written to in the last ${RECENT_MS / 60_000} minutes, and its CLI leaves no note of whether it runs`;
}

/** The folders of this user with private config folders, of whichever process. */
async function listPrivateFolders(): Promise<string[]> {
  const root = resolve(tmpdir());
  const self = process.getuid?.();
  const found: string[] = [];
  for (const name of await readFolderNames(root)) {
    if (!name.startsWith('inboard-resume-')) continue;
    const folder = join(root, name);
    // Where anybody may write, a name proves nothing.
    const facts = await lstat(folder).catch(() => undefined);
    if (facts?.isDirectory() && (self === undefined || facts.uid === self)) found.push(folder);
  }
  return found;
}

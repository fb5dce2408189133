// Finds the process that runs a session whose transcript is on this disk. It looks in every place that can tell. Only
// when none names a process does the transcript count as left by a crash.
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

/** If the CLI leaves no notes, a transcript that was written more recently may belong to a running session. */
const RECENT_MS = 5 * 60 * 1000;

/**
 * The file beside a private config folder. It names the session that begins there, and the user's config folder that
 * the private one stands for.
 */
const BEGINS_FILE = 'begins.json';

/** The session to look for. */
export interface RunnerSearch {
  readonly sessionId: string;
  /** The path of its transcript. */
  readonly transcript: string;
  readonly env: Environment;
  readonly store: SessionStore;
  /** The caller's own claim, which does not count as another runner. */
  readonly claim?: SessionClaim | undefined;
  /** The caller's own private config folder. */
  readonly ownConfig: string;
}

/** Writes a file beside a private config folder, so that other processes see which session begins there. */
export async function noteBeginning(configDir: string, sessionId: string, env: Environment): Promise<void> {
  const beginning = describeBeginning(sessionId, findConfigFolder(env));
  await writeFile(join(dirname(configDir), BEGINS_FILE), beginning, { mode: 0o600 });
}

function describeBeginning(sessionId: string, configFolder: string): string {
  return JSON.stringify({ sessionId: sessionId.toLowerCase(), configFolder });
}

/** Why the session counts as running, as the end of a sentence; undefined when no process runs it. */
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
    // The CLI may have outlived its host.
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

/**
 * Why a session without a note may be running all the same, as the end of a sentence. If its CLI is new enough to leave
 * notes, it is not running. If not, the transcript's owner and age decide.
 */
export async function suspectUse(transcript: string): Promise<string | undefined> {
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

/** The folders of all processes of this user in which a private config folder lies. */
async function listPrivateFolders(): Promise<string[]> {
  const root = resolve(tmpdir());
  const self = process.getuid?.();
  const found: string[] = [];
  for (const name of await readFolderNames(root)) {
    if (!name.startsWith('inboard-resume-')) continue;
    const folder = join(root, name);
    // Every user can create folders here, so the name does not show whose folder it is.
    const facts = await lstat(folder).catch(() => undefined);
    if (facts?.isDirectory() && (self === undefined || facts.uid === self)) found.push(folder);
  }
  return found;
}

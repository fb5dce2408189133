// Searches the CLI's config folder. The CLI names files and folders after their session, so they are found by name. That
// also works in folders that later versions add.
import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isCallRecordsName } from '../record/calls/file/call-files.js';
import { findConfigFolder } from '../record/history/folders/project-folders.js';
import { findNotesFolder, isNoteAlive, readNotes } from '../record/history/running/process-notes.js';
import { foundFile, listNames, removeIfEmpty, sessionOfName, type FoundItem, type Search } from './search.js';
import type { SessionDataKind } from './session-data.js';
import { findOtherOwners, type OuterNames } from './transcript-files.js';

/** Folders of the config folder whose content has a kind of its own. */
const KINDS: Readonly<Record<string, SessionDataKind>> = {
  'file-history': 'file-history',
  tasks: 'tasks',
  todos: 'todos',
  debug: 'debug-log',
  telemetry: 'telemetry',
  'session-env': 'session-env',
};

/**
 * Folders with content that people wrote or installed, which belongs to no session. Also folders that are searched
 * separately.
 */
const NOT_SEARCHED = new Set(
  'agents commands hooks output-styles plugins rules skills backups projects sessions plans'.split(' '),
);

/** Looks in the config folder of the search's environment. */
export async function lookInConfig(search: Search, names: OuterNames): Promise<FoundItem[]> {
  const config = findConfigFolder(search.env);
  return [
    ...(await lookInFolders(config, search)),
    ...(await lookInPlans(config, search, names)),
    ...(await lookInProcessNotes(config, search)),
    ...(await lookInProjects(config, search)),
  ];
}

/**
 * Finds transcripts and the folders beside them. They are deleted last, because a transcript is needed to find its
 * session by tag or project.
 */
export async function lookInProjects(config: string, search: Search): Promise<FoundItem[]> {
  const root = join(config, 'projects');
  const found: FoundItem[] = [];
  for (const project of await listNames(root, search)) {
    const folder = join(root, project);
    const names = await listNames(folder, search);
    // Folders come before transcripts.
    for (const isTranscript of [false, true]) {
      for (const name of names) {
        const sessionId = sessionOfName(name);
        if (sessionId === undefined || !search.ids.has(sessionId)) continue;
        if (name.endsWith('.jsonl') !== isTranscript) continue;
        const kind = isTranscript ? 'transcript' : 'session-files';
        const item = await foundFile({ sessionId, kind }, join(folder, name), root);
        if (!item) continue;
        const records = isTranscript ? [] : await lookInSessionFolder(item, root, search);
        found.push(...records);
        // The records are items of their own, so their bytes are subtracted from the folder's.
        const bytes = records.reduce((rest, each) => rest - (each.bytes ?? 0), item.bytes ?? 0);
        found.push(withEmptyFolder({ ...item, bytes }, folder));
      }
    }
  }
  return found;
}

/** Finds Inboard's records of calls in the folder beside a transcript. */
async function lookInSessionFolder(
  { sessionId, place }: FoundItem,
  root: string,
  search: Search,
): Promise<FoundItem[]> {
  // Nothing behind a link belongs to the session.
  if ((await lstat(place).catch(() => undefined))?.isDirectory() !== true) return [];
  const found: FoundItem[] = [];
  for (const name of await listNames(place, search)) {
    if (!isCallRecordsName(name)) continue;
    const item = await foundFile({ sessionId, kind: 'call-records' }, join(place, name), root);
    if (item) found.push(item);
  }
  return found;
}

/** The same item, whose deletion also removes its folder if that is then empty. */
export function withEmptyFolder(item: FoundItem, folder: string): FoundItem {
  const remove = async (): Promise<void> => {
    await item.remove();
    await removeIfEmpty(folder);
  };
  return { ...item, remove };
}

async function lookInFolders(config: string, search: Search): Promise<FoundItem[]> {
  const found: FoundItem[] = [];
  for (const folderName of await listNames(config, search)) {
    if (NOT_SEARCHED.has(folderName)) continue;
    const folder = join(config, folderName);
    for (const name of await listNames(folder, search)) {
      const sessionId = sessionOfName(name);
      if (sessionId === undefined || !search.ids.has(sessionId)) continue;
      const kind = Object.hasOwn(KINDS, folderName) ? (KINDS[folderName] as SessionDataKind) : 'other';
      const item = await foundFile({ sessionId, kind }, join(folder, name), folder);
      if (item) found.push(item);
    }
  }
  return found;
}

// The file of a plan is named after the field `slug` in the session's transcript.
async function lookInPlans(config: string, search: Search, { slugs }: OuterNames): Promise<FoundItem[]> {
  const folder = join(config, 'plans');
  if (slugs.size === 0) return [];
  const found: FoundItem[] = [];
  for (const name of await listNames(folder, search)) {
    const [slug = ''] = name.replace(/\.md$/, '').split('-agent-');
    const sessionId = slugs.get(slug);
    if (sessionId === undefined) continue;
    const owners = await findOtherOwners(slug, search);
    const item = await foundFile({ sessionId, kind: 'plan', ...owners }, join(folder, name), folder);
    if (item) found.push(item);
  }
  return found;
}

// CLI 2.1.325 keeps a note in this folder while it runs. If it is killed, the note stays, with a key file beside it.
async function lookInProcessNotes(config: string, search: Search): Promise<FoundItem[]> {
  const folder = findNotesFolder(config);
  const names = await listNames(folder, search);
  const found: FoundItem[] = [];
  for (const note of await readNotes(folder, names)) {
    if (!search.ids.has(note.sessionId)) continue;
    const name = basename(note.path);
    const pid = name.slice(0, -'.json'.length);
    for (const each of [name, ...names.filter((other) => other.startsWith(`${pid}.`) && other !== name)]) {
      const item = await foundFile(
        { sessionId: note.sessionId, kind: 'process-note' },
        join(folder, each),
        folder,
      );
      if (item) found.push({ ...item, isInUse: isNoteAlive(note) });
    }
  }
  return found;
}

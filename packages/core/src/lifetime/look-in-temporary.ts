// Searches temporary files: the output of background commands, the folders of sessions that were resumed from a store, and
// transcripts that a store did not take.
import { lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEPT_FOLDER } from '../record/history/store/private-config.js';
import { foundFile, listNames, sessionOfName, type FoundItem, type Search } from './search.js';
import { lookInProjects, withEmptyFolder } from './look-in-config.js';
import { findOtherOwners, type OuterNames } from './transcript-files.js';

/** Searches every folder that the CLI or this package may use for temporary files. */
export async function lookInTemporary(search: Search, names: OuterNames): Promise<FoundItem[]> {
  const found: FoundItem[] = [];
  for (const folder of listTemporaryFolders(search)) {
    for (const name of await listNames(folder, search)) {
      const path = join(folder, name);
      if (/^claude(?:-\d+)?$/.test(name) && (await isOwnFolder(path)))
        found.push(...(await lookInTasks(path, search, names)));
      if (name.startsWith('inboard-resume-') && (await isOwnFolder(path)))
        found.push(...(await lookInResumed(path, search)));
      // Such a folder has transcripts that a session store did not take. No process uses them any more.
      if (name.startsWith(KEPT_FOLDER) && (await isOwnFolder(path)))
        found.push(...(await lookInProjects(path, search)));
    }
  }
  return found;
}

/** The folders for temporary files that the CLI's environment names, and those of this process and system. */
export function listTemporaryFolders({ env }: Search): string[] {
  const named = [env['CLAUDE_CODE_TMPDIR'], env['TMPDIR'], env['TEMP'], tmpdir()];
  const usual = process.platform === 'win32' ? [] : ['/tmp'];
  return [...new Set([...named, ...usual].flatMap((folder) => folder || []))];
}

// There is one folder for each project. In it, CLI 2.1.325 has a folder for each session; 2.1.33 has one folder with the
// tasks of all sessions.
async function lookInTasks(root: string, search: Search, { tasks }: OuterNames): Promise<FoundItem[]> {
  const found: FoundItem[] = [];
  const add = async (
    owner: Pick<FoundItem, 'sessionId' | 'sharedWith'>,
    path: string,
    folder: string,
  ): Promise<void> => {
    const item = await foundFile({ ...owner, kind: 'task-output' }, path, root);
    if (item) found.push(withEmptyFolder(item, folder));
  };
  for (const project of await listNames(root, search)) {
    const folder = join(root, project);
    for (const name of await listNames(folder, search)) {
      const sessionId = sessionOfName(name);
      if (sessionId !== undefined && search.ids.has(sessionId))
        await add({ sessionId }, join(folder, name), folder);
    }
    const shared = join(folder, 'tasks');
    for (const name of await listNames(shared, search)) {
      const task = name.endsWith('.output') ? name.slice(0, -'.output'.length) : '';
      const sessionId = tasks.get(task);
      if (sessionId === undefined) continue;
      await add({ sessionId, ...(await findOtherOwners(task, search)) }, join(shared, name), shared);
    }
  }
  return found;
}

// Before a deletion, the folders of killed processes are removed. So the process that owns this folder counts as running.
async function lookInResumed(folder: string, search: Search): Promise<FoundItem[]> {
  const copies = await lookInProjects(join(folder, 'config'), search);
  return copies.map((item) => ({ ...item, kind: 'resumed-copy', isInUse: true }));
}

// Every user can create folders here, so the name of a folder does not prove who made it.
async function isOwnFolder(path: string): Promise<boolean> {
  const self = process.getuid?.();
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && (self === undefined || stats.uid === self);
}

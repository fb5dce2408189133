// Lists the working directories that share a repository. Reads git's own files, so that git need not be installed.
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readFolderNames } from './project-folders.js';

/** All worktrees of the repository that a directory is in, the main one first. Some of their folders may be gone. */
export async function listWorktrees(dir: string): Promise<string[]> {
  const shared = await findSharedFolder(dir);
  if (shared === undefined) return [];
  const main = basename(shared) === '.git' ? dirname(shared) : shared;
  const linked = await Promise.all(
    (await readFolderNames(join(shared, 'worktrees'))).map(async (name) => {
      const pointer = await readText(join(shared, 'worktrees', name, 'gitdir'));
      // The pointer is the path of the `.git` file inside the worktree.
      return pointer === undefined ? undefined : dirname(resolve(shared, 'worktrees', name, pointer));
    }),
  );
  return [main, ...linked.filter((path) => path !== undefined)];
}

// The folder that all worktrees share: `.git` of the main one, or a bare repository.
async function findSharedFolder(dir: string): Promise<string | undefined> {
  for (let folder = resolve(dir); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const kind = await readKind(git);
    if (kind === 'folder') return git;
    if (kind === 'file') return await followPointer(folder, git);
    if (await isBareRepository(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

// In a linked worktree or a submodule, `.git` is a file that names the folder.
async function followPointer(folder: string, file: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)$/m.exec((await readText(file)) ?? '')?.[1];
  if (target === undefined) return undefined;
  const own = resolve(folder, target);
  const shared = await readText(join(own, 'commondir'));
  return shared === undefined ? own : resolve(own, shared);
}

async function isBareRepository(folder: string): Promise<boolean> {
  return (
    (await readKind(join(folder, 'HEAD'))) === 'file' &&
    (await readKind(join(folder, 'objects'))) === 'folder' &&
    (await readKind(join(folder, 'refs'))) === 'folder'
  );
}

async function readKind(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return undefined;
  }
}

// Checks whether the CLI has saved an entry in the transcript. The CLI saves a message a moment after it sends it.
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../wire/process/operating-system.js';
import { createProjectKey, findProjectsFolder, resolveDirectory } from '../folders/project-folders.js';

/** How much of the end is read. New entries are there, and no answer of a model is longer than this. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** Whether the entry with this id is among the newest in the transcript of a session that runs in this directory. */
export async function isEntrySaved(
  sessionId: string,
  uuid: string,
  { dir, env }: { dir: string; env: Environment },
): Promise<boolean> {
  const folder = join(findProjectsFolder(env), createProjectKey(await resolveDirectory(dir)));
  let file: FileHandle | undefined;
  try {
    file = await open(join(folder, `${sessionId}.jsonl`));
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const { bytesRead } = await file.read(tail, 0, tail.length, size - tail.length);
    return tail.subarray(0, bytesRead).includes(`"uuid":"${uuid}"`);
  } catch {
    // The transcript does not exist yet, or this process may not read it.
    return false;
  } finally {
    await file?.close();
  }
}

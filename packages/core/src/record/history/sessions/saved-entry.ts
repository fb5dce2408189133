// Whether the CLI has written something down: it does so a moment after it has said it.
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../wire/process/operating-system.js';
import { createProjectKey, findProjectsFolder, resolveDirectory } from '../folders/project-folders.js';

/** What is new is at the end; more than this is no answer of a model. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** Whether the transcript of a session that runs in a directory has the entry with this id among its newest. */
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
    // Not there yet, or not for us to read.
    return false;
  } finally {
    await file?.close();
  }
}

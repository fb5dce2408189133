// From a working directory to the name of its folder of transcripts, as the CLI names it.
import { realpath } from 'node:fs/promises';

/** Longer names could not be created everywhere; they are cut and told apart by a hash. */
const MAX_LENGTH = 200;

/** Makes a path safe as a folder name; different paths can get the same name. */
export function createProjectKey(path: string): string {
  const safe = path.replace(/[^a-zA-Z0-9]/g, '-');
  return safe.length <= MAX_LENGTH ? safe : `${safe.slice(0, MAX_LENGTH)}-${hashText(path)}`;
}

/** The real path of a directory, which is what the CLI sees as its own; the path as it is when there is none. */
export async function resolveDirectory(dir: string): Promise<string> {
  try {
    return await realpath(dir);
  } catch {
    // A project can be gone while its sessions are still there.
    return dir;
  }
}

function hashText(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = ((hash << 5) - hash + text.charCodeAt(index)) | 0;
  }
  return Math.abs(hash).toString(36);
}

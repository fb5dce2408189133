// Reading folders that may not be there.
import { readdir } from 'node:fs/promises';

/** The names in a folder, sorted; none when it cannot be read. */
export async function readFolderNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}

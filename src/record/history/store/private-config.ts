// A config folder for one CLI, apart from the user's own: a session from a store is put there, or a new one begins there.
import { mkdtemp, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createOwnedFolder, explainWriteFailure } from '../../../wire/process/owned-folder.js';

/** The names of folders with transcripts that a store did not take. */
export const KEPT_FOLDER = 'inboard-kept-';

/** A temporary config folder. Whoever asked for it removes or keeps it after the CLI has ended. */
export interface PrivateConfig {
  /** For CLAUDE_CONFIG_DIR. */
  readonly configDir: string;
  /** Deletes the folder; never rejects, may be called again. */
  remove(): Promise<void>;
  /** Deletes everything but the transcripts, login and settings above all; gives the folder that has these now. */
  keep(): Promise<string>;
}

/** Makes such a folder and fills it. Rejects with a LaunchError when it cannot be written; then nothing is left. */
export async function createPrivateConfig(
  fill: (configDir: string) => Promise<void>,
): Promise<PrivateConfig> {
  // Readable by the owner only: it holds the conversation, and perhaps the login.
  const folder = createOwnedFolder('resume');
  const configDir = join(folder, 'config');
  const remove = createRemover(folder);
  try {
    await mkdir(configDir, { mode: 0o700 });
    await fill(configDir);
  } catch (error) {
    await remove();
    throw explainWriteFailure(error, 'resume');
  }
  return {
    configDir,
    remove,
    async keep() {
      // Under a name that is not swept with this process.
      const kept = await mkdtemp(join(resolve(tmpdir()), KEPT_FOLDER));
      await rename(join(configDir, 'projects'), join(kept, 'projects'));
      await remove();
      return kept;
    },
  };
}

function createRemover(folder: string): () => Promise<void> {
  let removing: Promise<void> | undefined;
  return () => {
    // A child of the CLI may still be writing its last file, hence the retries. What cannot be deleted then is left to
    // the system, which clears its temporary folder.
    removing ??= rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
      () => undefined,
    );
    return removing;
  };
}

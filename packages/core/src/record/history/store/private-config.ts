// A config folder for one CLI, separate from the user's own. A session from a store is put there, or a new session
// begins there.
import { mkdtemp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOwnedFolder, explainWriteFailure, OWNER_FILE } from '../../../wire/process/owned-folder.js';

/** The prefix of folders with transcripts that a store did not take. */
export const KEPT_FOLDER = 'inboard-kept-';

/** A temporary config folder. The caller removes or keeps it after the CLI has ended. */
export interface PrivateConfig {
  /** The value for CLAUDE_CONFIG_DIR. */
  readonly configDir: string;
  /** Deletes the folder; never rejects, may be called again. */
  remove(): Promise<void>;
  /**
   * Deletes everything but the transcripts, above all login and settings. Resolves with the folder that has the
   * transcripts now. Resolves with undefined, and everything is deleted, where no CLI has written to a transcript here,
   * because it ran elsewhere. Rejects where the transcripts cannot be moved; they then stay where they are.
   */
  keep(): Promise<string | undefined>;
}

/** Makes such a folder and fills it. Rejects with a LaunchError when it cannot be written; then no folder is left. */
export async function createPrivateConfig(
  fill: (configDir: string) => Promise<void>,
): Promise<PrivateConfig> {
  // Readable by the owner only, because it holds the conversation, and perhaps the login.
  const folder = createOwnedFolder('resume');
  const configDir = join(folder, 'config');
  const projects = join(configDir, 'projects');
  const remove = createRemover(folder);
  let before: ReadonlyMap<string, number>;
  try {
    await mkdir(configDir, { mode: 0o700 });
    await fill(configDir);
    before = await measureTranscripts(projects);
  } catch (error) {
    await remove();
    throw explainWriteFailure(error, 'resume');
  }
  return {
    configDir,
    remove,
    async keep() {
      const after = await measureTranscripts(projects);
      if (![...after].some(([path, size]) => before.get(path) !== size)) {
        await remove();
        return undefined;
      }
      const kept = await moveToKept(projects, dirname(folder)).catch(async (error: unknown) => {
        await emptyBut(configDir, ['projects']);
        await emptyBut(folder, ['config', OWNER_FILE]);
        throw error;
      });
      await remove();
      return kept;
    },
  };
}

/** Moves the transcripts to a folder beside their own, on the same device. Its name is not among those that are swept. */
async function moveToKept(projects: string, parent: string): Promise<string> {
  const kept = await mkdtemp(join(parent, KEPT_FOLDER));
  try {
    await rename(projects, join(kept, 'projects'));
  } catch (error) {
    await rm(kept, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
  return kept;
}

/** Empties the rest of the folder: the login must not stay together with the transcripts. */
async function emptyBut(folder: string, spared: readonly string[]): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (!spared.includes(name))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

/** The transcripts below a folder, with their sizes. A write makes a transcript longer. */
async function measureTranscripts(projects: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(projects, { recursive: true }).catch(() => []);
  const sizes = new Map<string, number>();
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    const facts = await stat(join(projects, name)).catch(() => undefined);
    if (facts?.isFile()) sizes.set(name, facts.size);
  }
  return sizes;
}

function createRemover(folder: string): () => Promise<void> {
  let removing: Promise<void> | undefined;
  return () => {
    // A child of the CLI may still be writing its last file, hence the retries. What cannot be deleted then stays until
    // the system clears its temporary folder.
    removing ??= rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
      () => undefined,
    );
    return removing;
  };
}

// A config folder for one CLI, separate from the user's own. A session from a store is put there, or a new session
// begins there.
import { mkdtemp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { moveOver } from '../../../util/move-over.js';
import { createOwnedFolder, explainWriteFailure, OWNER_FILE } from '../../../wire/process/owned-folder.js';

/** The prefix of folders that keep transcripts which a store did not accept. */
export const KEPT_FOLDER = 'inboard-kept-';

/** A temporary config folder. The caller removes or keeps it after the CLI has ended. */
export interface PrivateConfig {
  /** The value for CLAUDE_CONFIG_DIR. */
  readonly configDir: string;
  /** Deletes the folder. Never rejects, and may be called again. */
  remove(): Promise<void>;
  /**
   * Deletes everything but the transcripts, above all the login and the settings. Resolves with the folder that has the
   * transcripts now. If no transcript has changed here, because the CLI ran elsewhere, everything is deleted and it
   * resolves with undefined. If the transcripts cannot be moved, they stay where they are and it rejects.
   */
  keep(): Promise<string | undefined>;
}

/** Makes a private config folder and fills it. If it cannot be written, removes it and rejects with a LaunchError. */
export async function createPrivateConfig(
  fill: (configDir: string) => Promise<void>,
): Promise<PrivateConfig> {
  // Only the owner can read the folder, because it holds the conversation and perhaps the login.
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

/** Moves the transcripts to a folder on the same device, whose name the sweep of abandoned folders does not match. */
async function moveToKept(projects: string, parent: string): Promise<string> {
  const kept = await mkdtemp(join(parent, KEPT_FOLDER));
  try {
    await moveOver(projects, join(kept, 'projects'));
  } catch (error) {
    await rm(kept, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
  return kept;
}

/** Deletes everything in a folder but the given names, because the login must not stay beside the transcripts. */
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
    // A child of the CLI may still be writing its last file, so the deletion is tried again. A file that still cannot be
    // deleted stays until the system clears its temporary folder.
    removing ??= rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
      () => undefined,
    );
    return removing;
  };
}

// The folder for log entries that are no longer in memory. It is created with the first entry, for this user alone, and
// removed when the log is closed. If this process is killed, a later process removes it.
import { join } from 'node:path';
import { createOwnedFolder, removeOwnedFolder, type OwnedFolderKind } from './owned-folder.js';

/** The folder of one log. Its creator closes it. */
export class LogFolder {
  readonly #kind: OwnedFolderKind;
  #path: string | undefined;
  #isClosed = false;
  readonly #remove = (): void => {
    if (this.#path !== undefined) removeOwnedFolder(this.#path);
    this.#path = undefined;
  };

  constructor(kind: OwnedFolderKind) {
    this.#kind = kind;
  }

  /** The path of a file in the folder. Throws if the folder cannot be created, or is closed. */
  fileOf(name: string): string {
    if (this.#isClosed) throw new Error('The folder is closed');
    if (this.#path === undefined) {
      this.#path = createOwnedFolder(this.#kind);
      process.once('exit', this.#remove);
    }
    return join(this.#path, name);
  }

  /** Removes the folder with everything in it. */
  close(): void {
    this.#isClosed = true;
    process.off('exit', this.#remove);
    this.#remove();
  }
}

// The folder of log entries that are no longer in memory. It is made with the first entry, for this user alone, and
// removed at the end. If this process is killed, a later one removes it.
import { join } from 'node:path';
import { createOwnedFolder, removeOwnedFolder, type OwnedFolderKind } from './owned-folder.js';

/** The folder of one log. Its maker closes it. */
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

  /** The path of a file in the folder. Throws where no folder can be made. */
  fileOf(name: string): string {
    if (this.#isClosed) throw new Error('The folder is closed');
    if (this.#path === undefined) {
      this.#path = createOwnedFolder(this.#kind);
      process.once('exit', this.#remove);
    }
    return join(this.#path, name);
  }

  /** Removes it with everything in it. */
  close(): void {
    this.#isClosed = true;
    process.off('exit', this.#remove);
    this.#remove();
  }
}

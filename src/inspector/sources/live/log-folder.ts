// The folder of events that no longer rest in memory: made with the first, for this user alone, removed at the end, and by a
// later process where this one is killed.
import { join } from 'node:path';
import { createOwnedFolder, removeOwnedFolder } from '../../../wire/process/owned-folder.js';

/** One per source. */
export class LogFolder {
  #path: string | undefined;
  #isClosed = false;
  readonly #remove = (): void => {
    if (this.#path !== undefined) removeOwnedFolder(this.#path);
    this.#path = undefined;
  };

  /** The path of a file in it; throws where no folder can be made. */
  fileOf(name: string): string {
    if (this.#isClosed) throw new Error('The inspector is closed');
    if (this.#path === undefined) {
      this.#path = createOwnedFolder('inspect');
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

// Decides whose files count. Only the files of this process's user and of the trusted users do. Otherwise every user who
// can write to the folder could answer. On Windows, which has no user ids, all files count.
import type { Stats } from 'node:fs';
import { InboardError } from '../../../errors.js';
import {
  describeUsers,
  formatMode,
  ROOT,
  STICKY,
  WRITABLE_BY_ALL,
  WRITABLE_BY_GROUP,
  type HostUsers,
} from '../../../util/host-users.js';

/** What was found out about an approvals folder. */
export interface FolderState {
  /** Whether other users can add or rename files in the folder. */
  othersCanWrite: boolean;
}

/** Decides by owner and mode which files of an approvals folder may be read. */
export class FileOwners {
  readonly #trusted: readonly number[];
  readonly #users: HostUsers;

  constructor(trusted: readonly number[] = [], users: HostUsers = describeUsers()) {
    this.#trusted = trusted;
    this.#users = users;
  }

  /** Whether other users are meant to read the written files. */
  get isShared(): boolean {
    return this.#trusted.length > 0;
  }

  /** Throws an InboardError if other users could forge, move or delete the files of a folder. */
  checkFolder(folder: string, { uid, mode }: Stats): FolderState {
    if (this.#users.own === undefined) return { othersCanWrite: false };
    // Root can change every folder anyway, and often owns a folder that is shared on purpose.
    if (uid !== ROOT && !this.#accepts(uid)) throw unsafe(this.#explainOwner(folder, uid));
    const byAll = (mode & WRITABLE_BY_ALL) !== 0;
    const byGroup = (mode & WRITABLE_BY_GROUP) !== 0;
    const isSticky = (mode & STICKY) !== 0;
    if (!isSticky && (byAll || (byGroup && !this.isShared))) {
      throw unsafe(
        `The approvals folder ${folder} can be written by ${byAll ? 'every user' : 'its group'} (mode ${formatMode(mode)}), who ` +
          `could forge, move or delete answers. Run: chmod ${byAll ? 'go-w' : 'g-w'} ${folder}` +
          (byAll ? '' : '. If it is shared on purpose, name the users in "trustedUids"'),
      );
    }
    return { othersCanWrite: byAll || byGroup };
  }

  /** Why a file does not count. Undefined if it counts. */
  findFault({ uid, mode }: Stats): string | undefined {
    const { own } = this.#users;
    if (own === undefined) return undefined;
    if (!this.#accepts(uid)) {
      return uid === own
        ? `belongs to the user ${uid}, which in this user namespace stands for every user without a number`
        : `belongs to the user ${uid}, and not to ${own}, the user of this process, nor to one in "trustedUids"`;
    }
    if ((mode & (WRITABLE_BY_GROUP | WRITABLE_BY_ALL)) !== 0)
      return `can be written by other users (mode ${formatMode(mode)})`;
    return undefined;
  }

  /** Throws an InboardError if this process would not accept a file that it has just made. */
  checkWritten(folder: string, { uid }: Stats): void {
    if (this.#users.own === undefined || this.#accepts(uid)) return;
    throw unsafe(
      `What this process, of the user ${this.#users.own}, writes to the approvals folder ${folder} belongs to the user ${uid}, ` +
        `as on a network file system that maps users (root squash), or in a user namespace. Use a folder on a local file ` +
        `system; or, if nobody else has that number there, pass "trustedUids": [${uid}]`,
    );
  }

  #accepts(uid: number): boolean {
    return this.#trusted.includes(uid) || (uid === this.#users.own && !this.#users.isAmbiguous);
  }

  #explainOwner(folder: string, uid: number): string {
    const { own } = this.#users;
    const whose =
      uid === own
        ? `the user ${uid}, which in this user namespace stands for every user without a number`
        : `the user ${uid}, and this process to the user ${own}`;
    return (
      `The approvals folder ${folder} belongs to ${whose}: its owner could forge answers. Use a folder of your own, or, if ` +
      `that user may answer, pass "trustedUids": [${uid}]`
    );
  }
}

function unsafe(message: string): InboardError {
  return new InboardError('APPROVAL_FOLDER_UNSAFE', message);
}

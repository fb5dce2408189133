// The options of an approval store on disk. They are checked before the store itself is loaded.
import { InvalidOptionsError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';

/** How approvals are kept on disk. */
export interface FileApprovalStoreOptions {
  /**
   * The user ids of other users whose questions and answers count. Files can then also be read by the group of the
   * folder, which you set up for these users. Default: none, so that only files of this process's own user count. Has
   * no effect on Windows.
   */
  trustedUids?: readonly number[] | undefined;
}

/** Throws an InvalidOptionsError for arguments that are not a folder and such options. */
export function checkStoreArguments(folder: unknown, options: unknown): void {
  const call = 'createFileApprovalStore(folder, { trustedUids: [1001] })';
  if (typeof folder !== 'string' || folder === '')
    throw new InvalidOptionsError(['folder'], `The folder of approvals must be a path, as in ${call}`);
  if (options === undefined) return;
  if (!isRecord(options))
    throw new InvalidOptionsError(['options'], `The second argument must be an object, as in ${call}`);
  const unknown = Object.keys(options).filter((name) => name !== 'trustedUids');
  if (unknown.length > 0)
    throw new InvalidOptionsError(
      unknown,
      `The store has no option "${unknown.join('", "')}". Write ${call}`,
    );
  const { trustedUids } = options;
  const isUid = (uid: unknown): boolean => Number.isSafeInteger(uid) && (uid as number) >= 0;
  if (trustedUids !== undefined && !(Array.isArray(trustedUids) && trustedUids.every(isUid)))
    throw new InvalidOptionsError(
      ['trustedUids'],
      `"trustedUids" must be a list of the numbers of users (\`id -u\` prints one's own), as in ${call}`,
    );
}

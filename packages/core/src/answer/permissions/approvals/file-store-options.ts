// Defines and checks the options of an approval store on disk. They are checked before the store itself is loaded.
import { InvalidOptionsError } from '../../../errors.js';
import { checkShape, count, listOf, path, record, requireShape } from '../../../util/option-shapes.js';

/** How approvals are kept on disk. */
export interface FileApprovalStoreOptions {
  /**
   * The user ids of other users whose questions and answers count. Files can then also be read by the group of the
   * folder, which you set up for these users. Default: none, so that only files of this process's own user count. Has
   * no effect on Windows.
   */
  trustedUids?: readonly number[] | undefined;
}

const UIDS = listOf("a list of the numbers of users (`id -u` prints one's own)", count);

/** Throws an InvalidOptionsError if the arguments are not a folder and, optionally, options. */
export function checkStoreArguments(folder: unknown, options: unknown): void {
  const call = 'createFileApprovalStore(folder, { trustedUids: [1001] })';
  const end = (): string => `, as in ${call}`;
  requireShape('folder', folder, path, { called: 'The folder of approvals', end });
  if (options === undefined) return;
  requireShape('options', options, record, { called: 'The second argument', end });
  const unknown = Object.keys(options as object).filter((name) => name !== 'trustedUids');
  if (unknown.length > 0)
    throw new InvalidOptionsError(
      unknown,
      `The store has no option "${unknown.join('", "')}". Write ${call}`,
    );
  const { trustedUids } = options as FileApprovalStoreOptions;
  checkShape('trustedUids', trustedUids, UIDS, { end });
}

// Deletes everything that belongs to sessions. A failure does not stop it: an item that cannot be deleted is reported.
// The transcript is deleted last, so that after a crash the remaining items can be found again in the same way.
import { messageOf } from '../util/message-of.js';
import { sweepFolders } from '../wire/process/sweep-folders.js';
import type { SessionChoice } from './choose-sessions.js';
import { describeItem, lookEverywhere, openSearch } from './find-session-data.js';
import { NotSupportedError } from './look-in-stores.js';
import { listTemporaryFolders } from './look-in-temporary.js';
import { findRunning } from './running-sessions.js';
import { OutsideError, type FoundItem, type Search } from './search.js';
import type {
  DeletedSessionData,
  DeleteSessionDataOptions,
  KeptReason,
  KeptSessionData,
  SessionDataItem,
} from './session-data.js';

/**
 * Deletes everything that belongs to sessions, and reports what was deleted, what was not, and why. Sessions that have
 * a running CLI are left alone. You may call it again for the same sessions. Rejects with an InvalidOptionsError for an
 * invalid session id, before anything is deleted.
 */
export async function deleteSessionData(
  sessions: SessionChoice,
  options: DeleteSessionDataOptions = {},
): Promise<DeletedSessionData> {
  const { dryRun: isDryRun = false, sharedFiles = 'keep' } = options;
  const search = await openSearch(sessions, options);
  if (!isDryRun) await sweepTemporary(search);
  const running = await findRunning(search);
  const deleted: SessionDataItem[] = [];
  const kept: KeptSessionData[] = [];
  const keep = (item: FoundItem, reason: KeptReason, message: string): void => {
    kept.push({ ...describeItem(item), reason, message });
  };
  for (const item of await lookEverywhere(search)) {
    // A file with several sessions is in use as long as one of them runs.
    const ids = item.sessionIds ?? [item.sessionId];
    const where = ids.map((id) => running.get(id)).find((each) => each !== undefined);
    if (where !== undefined) keep(item, 'running', where);
    else if (item.isInUse)
      keep(item, 'running', 'A process is still using it, and removes it when it exits.');
    else if (item.sharedWith && sharedFiles === 'keep') keep(item, 'shared', SHARED);
    else if (isDryRun) deleted.push(describeItem(item));
    else {
      try {
        await item.remove();
        deleted.push(describeItem(item));
      } catch (error) {
        keep(item, reasonOf(error), messageOf(error));
      }
    }
  }
  if (!isDryRun) keepRewritten(await lookEverywhere(search), { deleted, kept });
  return { sessionIds: [...search.ids], deleted, kept, problems: withoutDoubles(search), isDryRun };
}

const SHARED =
  'The file also contains other sessions. Delete those as well, or give sharedFiles: "delete" to delete the whole file.';

function reasonOf(error: unknown): KeptReason {
  if (error instanceof OutsideError) return 'outside';
  return error instanceof NotSupportedError ? 'not-supported' : 'failed';
}

// Removes the temporary folders of killed processes, which no process uses any more. The first start of a CLI in a process
// does the same, in the system's folder.
async function sweepTemporary(search: Search): Promise<void> {
  for (const folder of listTemporaryFolders(search)) await sweepFolders({ folder });
}

/** Reports items that exist after the deletion: a process wrote them in the meantime, or a store did not delete them. */
function keepRewritten(
  left: readonly FoundItem[],
  { deleted, kept }: Pick<DeletedSessionData, 'deleted' | 'kept'>,
): void {
  const known = new Set(kept.map(({ place }) => place));
  for (const item of left) {
    if (known.has(item.place)) continue;
    const index = deleted.findIndex(({ place }) => place === item.place);
    if (index !== -1) deleted.splice(index, 1);
    const message =
      'It was deleted and is there again: something is still writing it. Stop that, then delete again.';
    kept.push({ ...describeItem(item), reason: 'written-again', message });
  }
}

// Without `dryRun`, every place was searched twice, so a problem may be in the list twice.
function withoutDoubles({ problems }: Search): Search['problems'] {
  const seen = new Set<string>();
  return problems.filter(({ place, message }) => {
    const name = `${place}\n${message}`;
    return !seen.has(name) && seen.add(name);
  });
}

// Finds the sessions whose calls may be pending, and their records: in a session store, or in the folders of this machine.
import { join } from 'node:path';
import { findCallRecords } from '../../record/history/store/find-call-records.js';
import { findProjectKey } from '../../record/history/store/stored-entries.js';
import { listStoredIds } from '../../record/history/store/stored-sessions.js';
import { isSessionId } from '../../record/history/arguments.js';
import { listProjectFolders, readNamesToList } from '../../record/history/folders/transcript-location.js';
import { LOG_NAME } from '../../record/calls/file/call-files.js';
import { createFileCallRecords } from '../../record/calls/file/file-call-records.js';
import { disk } from '../../util/system/disk.js';
import type { CallRecords } from '../../wire/protocol/config/call-records.js';
import type { CallsOptions } from './calls.js';

/** The records of one session. */
export interface RecordsPlace {
  readonly sessionId: string;
  /** Changes when facts were added. Undefined where only loading the records shows that. */
  readonly stamp: string | undefined;
  /** The file with most facts, to look into before everything is read. Undefined for records in a store. */
  readonly log: string | undefined;
  /** The caller closes the records. */
  open(): Promise<{ readonly records: CallRecords; close(): Promise<void> } | undefined>;
}

/** Every place that the options name, those that changed last first. */
export async function findRecordsPlaces(options: CallsOptions): Promise<RecordsPlace[]> {
  const { sessionStore, sessionId, projectKey, dir, env } = options;
  if (!sessionStore) {
    const places = await findLogs(options);
    return sessionId === undefined ? places : places.filter((place) => place.sessionId === sessionId);
  }
  const key = projectKey ?? (await findProjectKey(dir));
  const ids = sessionId === undefined ? await listStoredIds(sessionStore, key) : [sessionId];
  return ids.map((id) => ({
    sessionId: id,
    stamp: undefined,
    log: undefined,
    open: () =>
      findCallRecords({ sessionId: id, sessionStore, projectKey: key, dir, env, isResumed: true }),
  }));
}

/** The sessions on this machine that have a log. Their transcripts may not exist yet. */
async function findLogs({ dir, env, sessionId }: CallsOptions): Promise<RecordsPlace[]> {
  const found: (RecordsPlace & { readonly changed: number })[] = [];
  for (const { folder: project } of await listProjectFolders(dir, true, env)) {
    const ids = sessionId === undefined ? (await readNamesToList(project)).filter(isSessionId) : [sessionId];
    for (const id of ids) {
      const folder = join(project, id);
      const log = join(folder, LOG_NAME);
      const stats = await disk.promises.stat(log).catch(() => undefined);
      if (!stats?.isFile()) continue;
      const { ino, size, mtimeMs } = stats;
      const open = async (): Promise<{ records: CallRecords; close(): Promise<void> }> => {
        const records = createFileCallRecords({ folder });
        return { records, close: () => records.close() };
      };
      found.push({ sessionId: id, stamp: `${ino} ${size} ${mtimeMs}`, log, open, changed: mtimeMs });
    }
  }
  return found.sort((one, other) => other.changed - one.changed);
}

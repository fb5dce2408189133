// When a worker counts as silent: by the journal's clock, the same in every journal.
import type { WorkerRecord } from './records.js';

/** Workers report every five seconds: two reports are missing then, and two seconds are left for a slow database. */
const SILENT_AFTER_MS = 12_000;

/** A worker as it reported itself so many milliseconds ago, with `silentMs` where that is too long ago. */
export function markSilence(worker: Omit<WorkerRecord, 'silentMs'>, sinceMs: number): WorkerRecord {
  return sinceMs < SILENT_AFTER_MS ? worker : { ...worker, silentMs: sinceMs };
}

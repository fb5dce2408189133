// Decides when a worker counts as silent, by the journal's clock and in the same way in every journal.
import type { WorkerRecord } from './records.js';

/** Workers report every five seconds. After this time two reports are missing, and a slow database has had two seconds more. */
const SILENT_AFTER_MS = 12_000;

/** The record of a worker that reported `sinceMs` milliseconds ago, with `silentMs` if that is too long ago. */
export function markSilence(worker: Omit<WorkerRecord, 'silentMs'>, sinceMs: number): WorkerRecord {
  return sinceMs < SILENT_AFTER_MS ? worker : { ...worker, silentMs: sinceMs };
}

// Decides when a worker counts as silent. The journal's clock decides, and the rule is the same in every journal.
import type { WorkerRecord } from './records.js';

/** Workers report every five seconds. After this time two reports are missing, and a slow database has had two seconds more. */
export const SILENT_AFTER_MS = 12_000;

/** The record of a worker that reported `sinceMs` milliseconds ago, with `silentMs` if that is too long ago. */
export function markSilence(worker: Omit<WorkerRecord, 'silentMs'>, sinceMs: number): WorkerRecord {
  return sinceMs < SILENT_AFTER_MS ? worker : { ...worker, silentMs: sinceMs };
}

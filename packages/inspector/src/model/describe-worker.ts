// Describes in a few words what a worker of a cluster does, for the page and for `inboard cluster`.
import type { WorkerRecord } from '@inboard/cluster/journal/records.js';
import { formatDuration } from './format.js';

/** `works`, `draining`, `silent for 12 s`. */
export function describeWorker({ draining, silentMs }: WorkerRecord): string {
  if (silentMs === undefined) return draining ? 'draining' : 'works';
  const silent = `silent for ${formatDuration(Math.floor(silentMs / 1000) * 1000)}`;
  return draining ? `draining, ${silent}` : silent;
}

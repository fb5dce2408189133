// Whether somebody still writes a trace that has no end: as far as this machine can tell.
import { uptime } from 'node:os';
import type { TraceHeader } from '@inboard/core/record/trace/trace-event.js';

/** Whether the host of a recording still runs here. `modifiedAt` is when the file was last written, in milliseconds since the epoch. */
export function isBeingWritten({ hostPid }: Pick<TraceHeader, 'hostPid'>, modifiedAt: number): boolean {
  // The number of a process means something only until the system is started anew.
  if (modifiedAt < Date.now() - uptime() * 1000) return false;
  if (!Number.isInteger(hostPid) || hostPid <= 0) return false;
  try {
    process.kill(hostPid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

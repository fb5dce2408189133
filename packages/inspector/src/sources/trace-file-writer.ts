// Decides whether a process of this machine still writes a trace that has no end.
import { uptime } from 'node:os';
import type { TraceHeader } from '@inboard/core/record/trace/trace-event.js';

/** Whether the program that wrote a recording still runs here. `modifiedAt`, the last write, is in milliseconds since 1970. */
export function isBeingWritten({ hostPid }: Pick<TraceHeader, 'hostPid'>, modifiedAt: number): boolean {
  // A process id is valid only until the system restarts.
  if (modifiedAt < Date.now() - uptime() * 1000) return false;
  if (!Number.isInteger(hostPid) || hostPid <= 0) return false;
  try {
    process.kill(hostPid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// Names a process so that another process can look it up later, even if its process id has been reused by then.
import { parseRecord } from '../../util/guards.js';
import { describeSelf, readProcessStart, type FolderOwner } from './owned-folder.js';
import { isAbandoned } from './sweep-folders.js';

/** The name of this process. */
export function nameThisProcess(): string {
  return JSON.stringify(describeSelf());
}

/** The name of a child of this process; undefined if the child is gone, or its start cannot be read. */
export function nameChild(pid: number): string | undefined {
  const start = readProcessStart(pid);
  return start === undefined ? undefined : JSON.stringify({ ...describeSelf(), pid, start });
}

/** The variable with which the operator says that only one container at a time uses the files of this one. */
const SOLE_VARIABLE = 'INBOARD_SOLE_CONTAINER';

/** Whether every process of another container that had the same files is gone, because the operator says so. */
export function isSoleContainer(): boolean {
  return process.env[SOLE_VARIABLE] === '1';
}

/**
 * Whether the process with this name is surely gone. False if that is not known, as for a process of another machine or
 * container, which cannot be looked up.
 */
export function isProcessGone(name: string): boolean {
  const owner = parseRecord(name) as FolderOwner | undefined;
  if (!owner || typeof owner.pid !== 'number') return false;
  const self = describeSelf();
  if (isSoleContainer() && owner.pidSpace !== self.pidSpace) return true;
  return isAbandoned(owner, { self, ageMs: 0 });
}

/** Whether the process with this name is surely running. False if that is not known. */
export function isProcessRunning(name: string): boolean {
  const { boot, pidSpace, pid, start } = (parseRecord(name) ?? {}) as Partial<FolderOwner>;
  const self = describeSelf();
  if (boot === '' || boot !== self.boot || pidSpace !== self.pidSpace || typeof pid !== 'number')
    return false;
  return start !== undefined && start !== '' && readProcessStart(pid) === start;
}

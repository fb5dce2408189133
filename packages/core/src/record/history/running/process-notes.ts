// Reads the notes that running CLIs leave in their config folder, and checks whether the process of a note still runs.
// CLI 2.1.325 leaves such notes, and 2.1.33 does not.
import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRecord } from '../../../util/guards.js';
import { readProcessStart } from '../../../wire/process/owned-folder.js';
import { isSoleContainer } from '../../../wire/process/process-name.js';

/** The note of a running CLI about itself. */
export interface ProcessNote {
  readonly pid: number;
  readonly sessionId: string;
  /** When the process was started, in the system's own count; undefined if the note does not say. */
  readonly start: string | undefined;
  /** The machine or container in which the process id is valid. */
  readonly domain: string | undefined;
  /** When the note was last written, in milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A note and the file it is in. */
export interface FoundNote extends ProcessNote {
  readonly path: string;
}

/** The oldest version that is known to leave a note while it runs. */
export const NOTES_SINCE = '2.1.325';

/** A note of another container or machine cannot be checked. It counts for a day. */
const FOREIGN_MS = 24 * 60 * 60 * 1000;

/** The folder of the notes, in a config folder. */
export function findNotesFolder(configFolder: string): string {
  return join(configFolder, 'sessions');
}

/** Reads the notes among these files of the notes folder. */
export async function readNotes(folder: string, names: readonly string[]): Promise<FoundNote[]> {
  const found: FoundNote[] = [];
  for (const name of names) {
    if (!/^\d+\.json$/.test(name)) continue;
    const path = join(folder, name);
    const note = readProcessNote(parseRecord(await readFile(path, 'utf8').catch(() => '')));
    if (note) found.push({ ...note, path });
  }
  return found;
}

function readProcessNote(note: Record<string, unknown> | undefined): ProcessNote | undefined {
  const { pid, sessionId, procStart, pidDomain, updatedAt } = note ?? {};
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0 || typeof sessionId !== 'string') return undefined;
  return {
    pid: pid as number,
    sessionId: sessionId.toLowerCase(),
    start: typeof procStart === 'string' ? procStart : undefined,
    domain: typeof pidDomain === 'string' ? pidDomain : undefined,
    updatedAt: typeof updatedAt === 'number' ? updatedAt : 0,
  };
}

/** Whether the CLI of a note still runs, as far as this machine can tell. */
export function isNoteAlive({ pid, start, domain, updatedAt }: ProcessNote): boolean {
  if (domain !== undefined && isForeign(domain))
    return !isSoleContainer() && Date.now() - updatedAt < FOREIGN_MS;
  const started = readProcessStart(pid);
  if (started !== undefined) return start === undefined || started === start;
  // Linux lists every process. Other systems can only be asked by a signal.
  if (process.platform === 'linux') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the CLI of a note surely runs: the process is on this machine, and is not another one with the same id. */
export function isNoteProven({ pid, start, domain }: ProcessNote): boolean {
  if (start === undefined || (domain !== undefined && isForeign(domain))) return false;
  return readProcessStart(pid) === start;
}

function isForeign(domain: string): boolean {
  try {
    return !domain.endsWith(readlinkSync('/proc/self/ns/pid'));
  } catch {
    return false;
  }
}

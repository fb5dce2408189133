// Which sessions have a CLI: in this process, and in others where their CLI says so (2.1.325 does, 2.1.33 does not). And which have a
// process that completes their calls before it starts one.
import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunningHere } from '../inspector/session-registry.js';
import { findConfigFolder } from '../record/history/folders/project-folders.js';
import { CallFiles } from '../record/calls/file/call-files.js';
import { FileClaim } from '../record/calls/file/file-claim.js';
import { messageOf } from '../util/message-of.js';
import { parseRecord } from '../util/guards.js';
import { readProcessStart } from '../wire/process/owned-folder.js';
import { listNames, type Search } from './search.js';

/** What a running CLI notes of itself. */
interface ProcessNote {
  readonly pid: number;
  readonly sessionId: string;
  /** In the system's own count; undefined where the CLI does not say. */
  readonly start: string | undefined;
  /** Where its number means something. */
  readonly domain: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A note of another container or machine cannot be looked up: it counts for a day. */
const FOREIGN_MS = 24 * 60 * 60 * 1000;

export function readProcessNote(note: Record<string, unknown> | undefined): ProcessNote | undefined {
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
  if (domain !== undefined && isForeign(domain)) return Date.now() - updatedAt < FOREIGN_MS;
  const started = readProcessStart(pid);
  if (started !== undefined) return start === undefined || started === start;
  // Linux tells of every process; elsewhere one can only knock.
  if (process.platform === 'linux') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isForeign(domain: string): boolean {
  try {
    return !domain.endsWith(readlinkSync('/proc/self/ns/pid'));
  } catch {
    return false;
  }
}

/** Those of the search that run, with a sentence about where. */
export async function findRunning(search: Search): Promise<Map<string, string>> {
  const running = new Map<string, string>();
  const folder = join(findConfigFolder(search.env), 'sessions');
  for (const name of await listNames(folder, search)) {
    if (!/^\d+\.json$/.test(name)) continue;
    const note = readProcessNote(parseRecord(await readFile(join(folder, name), 'utf8').catch(() => '')));
    if (note && search.ids.has(note.sessionId) && isNoteAlive(note))
      running.set(
        note.sessionId,
        `The session is running in process ${note.pid}. End it, then delete again.`,
      );
  }
  await addClaimed(search, running);
  for (const id of search.ids) {
    if (isRunningHere(id))
      running.set(id, 'The session has a CLI in this process. Close it, then delete again.');
  }
  return running;
}

// A process that completes the calls of a session has no CLI yet, but it is about to write.
async function addClaimed(search: Search, running: Map<string, string>): Promise<void> {
  const root = join(findConfigFolder(search.env), 'projects');
  for (const project of await listNames(root, search)) {
    for (const name of await listNames(join(root, project), search)) {
      const id = name.toLowerCase();
      if (!search.ids.has(id)) continue;
      const place = join(root, project, name);
      try {
        const held = await new FileClaim(new CallFiles(place)).look();
        if (held)
          running.set(
            id,
            `Calls of the session are being completed by ${held.heldBy}. End it, then delete again.`,
          );
      } catch (error) {
        search.problems.push({ place, message: messageOf(error) });
      }
    }
  }
}

// Lists all processes, for the rare cases in which a child left processes behind or must be killed. On Linux the list
// comes from /proc, because slim images have no `ps`. On macOS it comes from `ps`; that has not been run there.
import { readFileSync, readdirSync } from 'node:fs';
import { processes } from '../../../util/system/processes.js';

/** One process. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Whether the process has ended, but its parent has not collected it. */
  isZombie: boolean;
}

/** All processes that can be seen; empty when they cannot be listed. */
export function readProcessTable(): ProcessEntry[] {
  return process.platform === 'linux' ? readProc() : readPs();
}

let shared: ProcessEntry[] | undefined;

/**
 * The same list, but read only once per turn of the event loop. A host that loses many conversations at once kills all
 * their CLIs in one turn.
 */
export function shareProcessTable(): ProcessEntry[] {
  if (!shared) {
    shared = readProcessTable();
    setImmediate(() => {
      shared = undefined;
    });
  }
  return shared;
}

/** The groups that processes below `leader` have opened. The CLI gives each shell command a group of its own. */
export function listDescendantGroups(leader: number, table: readonly ProcessEntry[]): number[] {
  const below = new Set([leader]);
  // A parent need not come before its children in the table.
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const entry of table) if (below.has(entry.parent)) below.add(entry.pid);
  }
  // A group counts only when its own leader is below `leader`: other groups must not be signalled.
  const groups = table
    .filter(({ pid, group }) => below.has(pid) && below.has(group))
    .map(({ group }) => group);
  return [...new Set(groups)].filter((group) => group !== leader);
}

function readProc(): ProcessEntry[] {
  try {
    return readdirSync('/proc').flatMap((name) => readProcEntry(name) ?? []);
  } catch {
    return [];
  }
}

function readProcEntry(name: string): ProcessEntry | undefined {
  const pid = Number(name);
  if (!Number.isInteger(pid)) return undefined;
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name in parentheses may contain spaces and parentheses.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    return { pid, parent: Number(parent), group: Number(group), isZombie: state === 'Z' || state === 'X' };
  } catch {
    // The process ended after the listing.
    return undefined;
  }
}

function readPs(): ProcessEntry[] {
  const columns = ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat='];
  const { stdout } = processes.spawnSync('ps', columns, { encoding: 'utf8', timeout: 2000 });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parent, group, state = ''] = line.trim().split(/\s+/);
    if (!pid) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      isZombie: state.startsWith('Z'),
    };
  });
}

// Signals and ends process groups. On POSIX a child is the leader of its own group, so that everything it starts can be
// ended with it. Windows has no such groups, and nothing here is called there.
import { BackOff } from '../../../util/back-off.js';
import { sleep } from '../../../util/timers.js';
import { listDescendantGroups, readProcessTable, shareProcessTable } from './process-table.js';

/** How long the processes that a child left behind may take to exit: by themselves, after SIGTERM, and after SIGKILL. */
export interface LeftoverTimes {
  leaveMs: number;
  killMs: number;
  giveUpMs: number;
}

const POLLS = { firstMs: 10, longestMs: 80 };
const LEFTOVER_TIMES: LeftoverTimes = { leaveMs: 300, killMs: 1000, giveUpMs: 1000 };

/** Sends a signal to every member of a group. False if no member could be signalled. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // A group of 0 or 1 would address this process itself, or every process of the user.
  if (!Number.isInteger(group) || group <= 1) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // ESRCH: the group is empty. EPERM: its members may not be signalled, or (macOS) are all zombies.
    return false;
  }
}

/** Kills a group, and the groups of the leader's descendants, because the killed leader cannot end those itself. */
export function killGroups(leader: number): void {
  // The descendants are listed while the leader lives. After that, nothing shows which processes it started.
  const below = listDescendantGroups(leader, shareProcessTable());
  signalGroup(leader, 'SIGKILL');
  for (const group of below) signalGroup(group, 'SIGKILL');
}

/** Whether a group has a member that still runs. */
export function isGroupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  return process.platform !== 'linux' || hasRunningMember(group);
}

/** Ends the rest of a group after its leader is gone. Resolves when the group is empty, or SIGKILL did not help either. */
export async function endLeftovers(group: number, times: Partial<LeftoverTimes> = {}): Promise<void> {
  if (!isGroupAlive(group)) return;
  const { leaveMs, killMs, giveUpMs } = { ...LEFTOVER_TIMES, ...times };
  if (await waitForEmptyGroup(group, leaveMs)) return;
  signalGroup(group, 'SIGTERM');
  if (await waitForEmptyGroup(group, killMs)) return;
  signalGroup(group, 'SIGKILL');
  await waitForEmptyGroup(group, giveUpMs);
}

// Looks at the group often, so that no signal is sent after it is empty: its id may then belong to another group.
async function waitForEmptyGroup(group: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  const backOff = new BackOff(POLLS);
  for (;;) {
    if (!isGroupAlive(group)) return true;
    if (performance.now() >= deadline) return false;
    await sleep(backOff.next());
  }
}

// A zombie still accepts signals. In a container whose first process does not reap (often Node itself), it stays forever.
// Waiting for it would make every ending slow.
function hasRunningMember(group: number): boolean {
  const members = readProcessTable().filter((entry) => entry.group === group);
  // A group that accepts signals but has no visible member counts as running.
  return members.length === 0 || members.some((entry) => !entry.isZombie);
}

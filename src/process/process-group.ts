// A child is started as the leader of its own process group (POSIX), so that what it starts can be ended
// with it. Windows has no such groups; nothing here is called there.
import { readFileSync, readdirSync } from 'node:fs';

/** How long what a child left behind may take to leave by itself, then after SIGTERM, then after SIGKILL. */
export interface LeftoverTimes {
  leaveMs: number;
  killMs: number;
  giveUpMs: number;
}

const LEFTOVER_TIMES: LeftoverTimes = { leaveMs: 300, killMs: 1000, giveUpMs: 1000 };

/** Sends a signal to every member of a group; false when there is none to get it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // A group of 0 or 1 would address this process itself, or every process of the user.
  if (!Number.isInteger(group) || group <= 1) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // ESRCH: nobody is left. EPERM: only members that may not be touched, or (macOS) only zombies.
    return false;
  }
}

/** Whether a group has a member that still runs. */
export function isGroupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  return process.platform !== 'linux' || hasRunningMember(group);
}

/** Ends what is left of a group after its leader is gone; resolves when nothing is left, or nothing more can be done. */
export async function endLeftovers(group: number, times: Partial<LeftoverTimes> = {}): Promise<void> {
  if (!isGroupAlive(group)) return;
  const { leaveMs, killMs, giveUpMs } = { ...LEFTOVER_TIMES, ...times };
  if (await waitForEmptyGroup(group, leaveMs)) return;
  signalGroup(group, 'SIGTERM');
  if (await waitForEmptyGroup(group, killMs)) return;
  signalGroup(group, 'SIGKILL');
  await waitForEmptyGroup(group, giveUpMs);
}

// The group is watched closely instead of being signalled blindly at a set time: its number may be given
// to strangers once it is empty.
async function waitForEmptyGroup(group: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 80)) {
    if (!isGroupAlive(group)) return true;
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

// A zombie still takes signals. In a container whose first process does not reap (Node itself, often) it
// stays for good, and waiting for it would make every end slow.
function hasRunningMember(group: number): boolean {
  let members = 0;
  try {
    for (const entry of readdirSync('/proc')) {
      const code = entry.charCodeAt(0);
      if (code < 0x30 || code > 0x39) continue;
      const state = readMemberState(entry, group);
      if (state === undefined) continue;
      members += 1;
      if (state !== 'Z' && state !== 'X') return true;
    }
  } catch {
    return true;
  }
  // The system says somebody is there and shows nobody: believe the system.
  return members === 0;
}

function readMemberState(pid: string, group: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    return memberOf === String(group) ? state : undefined;
  } catch {
    return undefined;
  }
}

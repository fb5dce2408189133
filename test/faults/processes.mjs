// Looking at processes from outside: whether one runs, and which bear a mark in their environment.
import { readdirSync, readFileSync } from 'node:fs';
import { holdsWithin } from '../support/wait-until.js';

/** Whether a process still runs. A zombie that was not collected yet counts as ended. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return (
      process.platform !== 'linux' || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}

/** Lets a few turns of the event loop pass, then waits until something holds. The caller looks at what is so in the end. */
export async function giveTime(predicate, limitMs) {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await holdsWithin(predicate, limitMs);
}

/** The processes that have a text in their environment. Only Linux tells. */
function findMarked(mark) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isRunning(pid) && readEnvironment(pid).includes(mark));
}

/** Kills them. */
export function endMarked(mark) {
  for (const pid of findMarked(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
}

function readEnvironment(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // Gone meanwhile, or not ours to look at.
    return '';
  }
}

// The points that a life passes, each written down before anything else happens; where the plan says so, it dies there.
import { appendFileSync } from 'node:fs';

/** Points that belong to a call; at the others the whole conversation dies. */
const OF_CALLS = ['question stored', 'answer noted', 'begin recorded', 'effect', 'result recorded'];

/** Makes the points of one life. `kill` is where it dies; `die` does so; `keys` are the calls by their keys, as far as they are known. */
export function createKillPoints({ file, life, kill, die, keys = new Map() }) {
  let isArmed = kill !== undefined;
  const note = (kind, facts = {}) =>
    appendFileSync(file, `${JSON.stringify({ kind, life, pid: process.pid, ...facts })}\n`);
  const isHere = (point, when, call) =>
    isArmed &&
    kill.point === point &&
    kill.when === when &&
    (!OF_CALLS.includes(point) || call === undefined || call === kill.call);
  return {
    note,
    keys,
    isHere,
    reach(point, when, call) {
      note('reach', { point, when, call });
      if (!isHere(point, when, call)) return;
      isArmed = false;
      note('death', { point, when, call });
      die();
    },
  };
}

/** Ends this process as `kill -9` does: nothing more happens in it. */
export function dieNow() {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
}

// Where a process of a chaos run can be made to die: before and after each call of its journal and its dispatcher, and wherever
// a program names a point. It dies by SIGKILL, in the middle of what it does, and has written down which CLIs it leaves.
import { readFileSync } from 'node:fs';

/** The children of this process, with what they run. */
function listChildren() {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(/\s+/);
  return pids.filter(Boolean).map((pid) => ({ pid: Number(pid), command: readCommand(pid) }));
}

function readCommand(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200);
  } catch {
    // It is gone meanwhile.
    return '';
  }
}

/** Makes the points of this process. `arm(point)`: die where it is reached next; `now` dies at once. */
export function createPoints(note) {
  let armed;
  const die = (point) => {
    note('death', { point, pid: process.pid, children: listChildren() });
    process.kill(process.pid, 'SIGKILL');
    // The signal comes at the end of this turn of the loop at the latest; nothing may happen until then.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
  };
  const reach = (point) => {
    if (armed === point) die(point);
  };
  return {
    reach,
    arm(point) {
      armed = point;
      if (point === 'now') die(point);
    },
    /** The same object, each of whose methods is a point before and after it. */
    around: (target, onCall) => watchMethods(target, reach, onCall),
  };
}

function watchMethods(target, reach, onCall) {
  return new Proxy(target, {
    get(object, name) {
      const value = Reflect.get(object, name, object);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args) => {
        reach(`before ${name}`);
        const startedAt = performance.now();
        const result = value.apply(object, args);
        if (typeof result?.then !== 'function') return result;
        return result.then((settled) => {
          onCall?.(name, args, settled, performance.now() - startedAt);
          reach(`after ${name}`);
          return settled;
        });
      };
    },
  });
}

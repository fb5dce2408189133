// The processes of a chaos run: starts them, tells them where to die, starts another one for each that died, and ends them all.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('programs/', import.meta.url));

/** One process; `enter` is a command that runs it elsewhere, in its own place. */
function startProcess(program, plan, { env = {}, enter = [] } = {}) {
  const [command, ...args] = [...enter, process.execPath, join(programs, `${program}.mjs`)];
  const child = spawn(command, args, {
    env: { ...process.env, ...env, CHAOS_PLAN: JSON.stringify(plan) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const ready = new Promise((resolve, reject) => {
    child.once('message', resolve);
    void exited.then(({ code, signal }) =>
      reject(new Error(`${plan.name} ended before it was ready: ${signal ?? code}`)),
    );
  });
  ready.catch(() => {});
  const arm = (point) => child.connected && child.send({ arm: point }, () => {});
  return {
    name: plan.name,
    pid: child.pid,
    child,
    exited,
    ready,
    arm,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
  };
}

/** Makes the fleet. `plan` is what every process is told. */
export function createFleet({ plan, isWanted = () => true, onUnasked }) {
  const workers = [];
  const others = [];
  let count = 0;

  async function startWorker(place, { plan: own = {}, env, enter } = {}) {
    count += 1;
    const worker = startProcess('worker', { ...plan, name: `w${place}-${count}`, ...own }, { env, enter });
    worker.place = place;
    worker.own = { plan: own, env, enter };
    workers[place] = worker;
    void worker.exited.then(({ code, signal }) => {
      if (worker.isExpected) return;
      if (signal !== 'SIGKILL')
        onUnasked?.(`${worker.name} ended by itself: ${signal ?? `exit code ${code}`}`);
      // As a supervisor would.
      if (isWanted() && workers[place] === worker)
        void startWorker(place, worker.own).catch((error) => isWanted() && onUnasked?.(String(error)));
    });
    await worker.ready;
    return worker;
  }

  return {
    workers,
    startWorker,
    startOther(program, own) {
      const other = startProcess(program, { ...plan, ...own });
      others.push(other);
      return other;
    },
    /** Dies where it reaches the point, or at once after a while in which it did not. */
    async kill(victim, point, patienceMs = 2500) {
      victim.arm(point);
      const limit = Date.now() + patienceMs;
      while (!victim.isOver() && Date.now() < limit) await sleep(20);
      const reached = victim.isOver();
      if (!reached) victim.arm('now');
      await victim.exited;
      return reached;
    },
    /** Ends a worker as a deploy does; gives how it ended, and the milliseconds it took. */
    async drain(worker) {
      worker.isExpected = true;
      // A worker that has just started does not listen to signals yet, and no deploy would end it then.
      await worker.ready.catch(() => {});
      const startedAt = Date.now();
      worker.child.kill('SIGTERM');
      return { ...(await worker.exited), ms: Date.now() - startedAt };
    },
    async close() {
      const all = [...workers.filter(Boolean), ...others];
      for (const one of all) {
        one.isExpected = true;
        one.child.kill('SIGCONT');
        one.child.kill(workers.includes(one) ? 'SIGTERM' : 'SIGKILL');
      }
      const late = sleep(8000).then(() => all.forEach((one) => one.isOver() || one.child.kill('SIGKILL')));
      await Promise.race([Promise.all(all.map(({ exited }) => exited)), late]);
      await Promise.all(all.map(({ exited }) => exited));
    },
  };
}

/** The environment of a process whose clock is wrong by so much, such as `+60s` or `-1h`; its timers stay right. Undefined without libfaketime. */
export function wrongClock(offset) {
  const folders = readdirSync('/usr/lib').map((name) =>
    join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'),
  );
  const library = folders.find((file) => existsSync(file));
  if (library === undefined) return undefined;
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

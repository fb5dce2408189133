// What goes wrong in a chaos run, by name. Each fault acts on the fleet or its services, waits until it is over, and writes
// down what it measured.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrongClock } from './fleet.mjs';

/** Where a worker dies: at once, when it begins or ends a step, and inside its tools. */
export const POINTS = [
  'now',
  'event turn-started',
  'after lease',
  'after next',
  'before beginCall',
  'after beginCall',
  'in tool, before its effect',
  'in tool, after its effect',
  'in tool, at its end',
  'before endCall',
  'after endCall',
  'before finish',
  'after finish',
  'before ask',
  'after ask',
  'before park',
  'after park',
  'before publish',
  'before release',
];

function isAlive(pid) {
  try {
    // A process that has ended and was not waited for is a zombie: it does nothing any more.
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The CLIs among the children of a process. */
function listClis(pid, executable) {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map(Number);
    return pids.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(executable));
  } catch {
    return [];
  }
}

/** Milliseconds until none of these processes is left; undefined when one is still there at the limit. */
export async function awaitGone(pids, limitMs) {
  const startedAt = performance.now();
  while (pids.some(isAlive)) {
    if (performance.now() - startedAt > limitMs) return undefined;
    await sleep(5);
  }
  return performance.now() - startedAt;
}

async function stopAndGoOn({ fleet, note, random, executable, stopMs = 10_000 }) {
  const victim = random.pick(fleet.workers);
  const clis = listClis(victim.pid, executable);
  victim.child.kill('SIGSTOP');
  await sleep(stopMs);
  victim.child.kill('SIGCONT');
  const ms = await awaitGone(clis, 5000);
  note('zombie', { clis: clis.length, ms: ms ?? null });
}

async function turnClock({ fleet, random, note, log }) {
  const offset = random.pick(['+60s', '-60s', '-1h']);
  const env = wrongClock(offset);
  if (env === undefined) {
    log('There is no libfaketime (Debian package libfaketime): the clock stays right.');
    return;
  }
  // It has the clock from its start on: a worker is replaced by one.
  const place = random.between(0, fleet.workers.length - 1);
  const old = fleet.workers[place];
  await fleet.drain(old);
  const worker = await fleet.startWorker(place, { ...old.own, env });
  note('clock', { offset, worker: worker.name });
}

async function restartDatabase({ services, note, downMs = 5000 }) {
  note('database-down');
  await services.restartPostgres(downMs);
  note('database-up');
}

async function stallDatabase({ services, note, stallMs = 4000, times = 2, restMs = 1000 }) {
  for (let count = 0; count < times; count += 1) {
    note('database-stalled');
    await services.stallPostgres(stallMs);
    await sleep(restMs);
  }
}

/** A session that keeps conversations locked for longer than a lease, as a transaction under a fence does. */
async function lockRows({ services, note, lockMs = 5000 }) {
  note('locked');
  await services.lockConversations('c1%', lockMs);
}

async function fillDisk({ services, note, fullMs = 8000 }) {
  note('disk-full');
  const startedAt = Date.now();
  // What is freed meanwhile is taken, too.
  while (Date.now() - startedAt < fullMs) {
    services.fillDisk();
    await sleep(50);
  }
  await services.emptyDisk();
  note('disk-empty');
}

async function flushQueue({ services, note }) {
  await services.flushRedis();
  note('flushed');
}

async function partition({ fleet, lines, note, executable, cutMs = 10_000 }) {
  const victim = fleet.workers[0];
  const clis = listClis(victim.pid, executable);
  lines.cut();
  const gone = awaitGone(clis, cutMs);
  await sleep(cutMs);
  note('partition', { clis: clis.length, ms: (await gone) ?? null, how: lines.how });
  lines.heal();
}

async function slowDatabase({ lines, note, slowMs = 500, forMs = 8000 }) {
  lines.setDelay(slowMs / 2);
  note('slow');
  await sleep(forMs);
  lines.setDelay(0);
}

/** Replaces one worker after another; `change` is what the new ones are told. */
async function deploy({ fleet, note, noteStep, plan }, change, places = [...fleet.workers.keys()]) {
  for (const place of places) {
    const old = fleet.workers[place];
    const { code, signal, ms } = await fleet.drain(old);
    note('deployed', { worker: old.name, ms, drainMs: plan.work.drainMs, code, signal });
    noteStep();
    await fleet.startWorker(place, { ...old.own, plan: { ...old.own.plan, ...change } });
    noteStep();
  }
}

const rollingDeploy = (world) => deploy(world, { version: 2 });

/** The first new worker brings the tables to its version, while the earlier ones work on. */
async function upgrade(world) {
  await deploy(world, world.packages.later);
}

/** Back to the earlier package, on tables that the later one has changed. */
async function downgrade(world) {
  await deploy(world, world.packages.earlier);
}

/**
 * Ends the promised window: tables for newer code than there is. Each worker ends by itself, and none of either package can be
 * started. Workers of the earlier package are not among those that run: code of version 1 looks at the tables only at its start.
 */
export async function outdate({ fleet, note, packages, setOldestVersion, patienceMs = 60_000 }) {
  for (const worker of fleet.workers) worker.isExpected = true;
  await setOldestVersion(99);
  const workers = [...fleet.workers];
  for (const plan of [packages.earlier, packages.later]) {
    const place = fleet.workers.length;
    const starting = fleet.startWorker(place, { plan });
    fleet.workers[place].isExpected = true;
    workers.push(fleet.workers[place]);
    await starting.catch(() => {});
  }
  const limit = Date.now() + patienceMs;
  for (const { name, isOver, child } of workers) {
    while (!isOver() && Date.now() < limit) await sleep(20);
    note('version-refused', { worker: name, code: child.exitCode, signal: child.signalCode });
  }
}

async function killApprover(world) {
  const { approver, fleet, note } = world;
  const reached = await fleet.kill(approver.current, 'before wake', 4000);
  note('approver-killed', { reached });
  approver.start();
}

/** Those that happen only where they are asked for: one needs root, the others an earlier package. */
export const RARE_FAULTS = { disk: fillDisk, upgrade, downgrade };

/** The faults, by name. */
export const FAULTS = {
  approver: killApprover,
  stop: stopAndGoOn,
  clock: turnClock,
  restart: restartDatabase,
  stall: stallDatabase,
  lock: lockRows,
  flush: flushQueue,
  partition,
  slow: slowDatabase,
  rolling: rollingDeploy,
};

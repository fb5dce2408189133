// One chaos run: starts the processes, lets the planned things go wrong, waits until every turn has ended or nothing moves any
// more, and gives what the journal and the processes have to say.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EFFECTS } from './chaos-agents.mjs';
import { awaitGone, FAULTS, outdate, POINTS, RARE_FAULTS } from './faults.mjs';
import { createFleet } from './fleet.mjs';
import { startModel } from './model.mjs';
import { openNotes, readNotes } from './notes.mjs';
import { openPair } from './pair.mjs';
import { createRandom } from './random.mjs';
import { startLines } from './lines.mjs';

const FAKE_CLI = fileURLToPath(new URL('programs/fake-cli.cjs', import.meta.url));
/** Without a turn that ended for so long, and without a step of a fault, nothing will come any more. */
const STILL_MS = 120_000;

/**
 * Runs it. `services` has the addresses of PostgreSQL and Redis, and can break them. With `earlier`, everything begins with that
 * package, on its tables.
 */
export async function runChaos({ settings, services, entryPoints, earlier, log }) {
  const { seed, pair, cli, conversations, turns, kills, faults } = settings;
  const folder = mkdtempSync(join(tmpdir(), 'cluster-chaos-'));
  const notes = join(folder, 'notes');
  const note = openNotes(notes, 'run');
  const random = createRandom(seed);
  const own = await openOwn({ pair, entryPoints: earlier?.entryPoints ?? entryPoints, services });
  const { journal } = own;
  const home = await makeHome({ cli, entryPoints, folder, settings, note });
  const isCut = faults.some((name) => name === 'partition' || name === 'slow');
  const lines = isCut ? await startLines({ services, mayMove: cli === 'fake' }) : undefined;
  if (lines) log(`The first worker is cut off by ${lines.how}.`);
  const plan = {
    entryPoints,
    pair,
    notes,
    seed,
    conversations,
    turns,
    postgres: services.postgres,
    redis: services.redis,
    options: home.options,
    modelMs: settings.modelMs,
    toolMs: settings.toolMs,
    answerMs: 1500,
    work: {
      concurrency: settings.concurrency,
      recoveryConcurrency: settings.recovery,
      leaseMs: settings.leaseMs,
      suspendAfterMs: 700,
      keepWarmMs: 1500,
      drainMs: 5000,
      // A machine that is overrun loses leases by itself: what is to be shown is that no turn is lost, however often it is cut off.
      maxAttempts: 50,
    },
  };
  const packages = listPackages(plan, earlier);
  let isOver = false;
  const fleet = createFleet({
    plan: { ...plan, ...packages.earlier },
    isWanted: () => !isOver,
    onUnasked: (what) => note('unasked', { what }),
  });
  const approver = startApprover(fleet, random);
  const startedAt = Date.now();
  try {
    await Promise.all(
      Array.from({ length: settings.workers }, (_, place) =>
        fleet.startWorker(place, place === 0 ? lines?.start : {}),
      ),
    );
    approver.start();
    const keys = Array.from({ length: Math.min(10, conversations) }, (_, index) => `c${index}`);
    // Each fault has a part of the conversations that is sent when it begins: all turns cannot end before, however quick a machine is.
    const parts = Math.min(faults.length + 1, conversations);
    const sender = fleet.startOther('sender', { name: 'sender', seed, parts });
    await sleep(200);
    fleet.startOther('reader', { name: 'reader', seed, keys });
    const progress = watchProgress(journal, conversations * turns, log);
    const world = {
      fleet,
      note,
      log,
      random,
      services,
      lines,
      executable: home.executable,
      approver,
      plan,
      packages,
      noteStep: progress.noteStep,
      sendPart: (part) => part < parts && sender.child.connected && sender.child.send({ part }, () => {}),
      setOldestVersion: (version) =>
        own.query(`insert into inboard.migrations (version, oldest) values (${version}, ${version})`),
    };
    const breaking = breakThings({ world, progress, kills, faults, log });
    const ended = await progress.finished;
    await breaking;
    isOver = true;
    if (!ended) log(`Nothing moved for ${STILL_MS / 1000} s.`);
    const histories = earlier
      ? await readWith({ pair, entryPoints, services }, conversations)
      : await readHistories(journal, conversations);
    if (earlier) await outdate(world);
    const effects = (await own.query('select * from chaos_effects')).rows;
    const ms = Date.now() - startedAt;
    await fleet.close();
    return {
      histories,
      effects,
      notes: readNotes(notes),
      ms,
      folder,
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  } finally {
    isOver = true;
    await fleet.close();
    await lines?.close();
    await own.close();
    await home.close();
  }
}

/** What workers of each package are told. Without an earlier one, both are the same. */
function listPackages({ entryPoints, work }, earlier) {
  if (earlier === undefined) return { earlier: {}, later: {} };
  const { suspendAfterMs, ...others } = work;
  return {
    earlier: {
      entryPoints: earlier.entryPoints,
      onRepeat: earlier.onRepeat,
      work: { ...others, [earlier.suspendOption]: suspendAfterMs },
    },
    later: { entryPoints, onRepeat: 'recorded', work },
  };
}

/** The histories, as the package that came last reads them. */
async function readWith({ pair, entryPoints, services }, conversations) {
  const { journal, dispatcher } = await openPair({ pair, entryPoints, ...services });
  try {
    return await readHistories(journal, conversations);
  } finally {
    await dispatcher?.close();
    await journal.close();
  }
}

async function openOwn({ pair, entryPoints, services }) {
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: services.postgres, max: 4 });
  pool.on('error', () => {});
  const { journal, dispatcher } = await openPair({ pair, entryPoints, ...services });
  await journal.open();
  await pool.query(EFFECTS);
  await pool.query('truncate chaos_effects');
  return {
    journal,
    query: (text) => pool.query(text),
    async close() {
      await dispatcher?.close();
      await journal.close();
      await pool.end();
    },
  };
}

/** What the CLI is, and where it keeps its files. */
async function makeHome({ cli, entryPoints, folder, settings, note }) {
  if (cli === 'fake') {
    const cwd = join(folder, 'home');
    mkdirSync(cwd);
    const options = { pathToClaudeCodeExecutable: FAKE_CLI, cwd, env: { HOME: cwd, PATH: process.env.PATH } };
    return { options, executable: 'fake-cli', close: () => {} };
  }
  const { createIsolatedEnvironment } = await import(`${entryPoints}/testing.js`);
  const onRequest = (session) => note('request', { session });
  const model = await startModel({ entryPoints, delayMs: settings.modelMs, onRequest });
  const home = await createIsolatedEnvironment({ baseUrl: model.url, toolSearch: false });
  return {
    options: { env: home.env, cwd: home.cwd },
    executable: 'claude',
    async close() {
      await model.close({ verify: false });
      await home.remove();
    },
  };
}

function startApprover(fleet, random) {
  const approver = {
    count: 0,
    start() {
      approver.count += 1;
      const seed = random.between(1, 1e9);
      approver.current = fleet.startOther('approver', { name: `approver-${approver.count}`, seed });
    },
  };
  return approver;
}

function watchProgress(journal, total, log) {
  let movedAt = Date.now();
  const progress = { ended: 0, total, isOver: false, noteStep: () => (movedAt = Date.now()) };
  progress.finished = (async () => {
    let told = Date.now();
    for (;;) {
      const ended = await journal.stats().then(
        ({ turns }) => turns.ended,
        () => progress.ended,
      );
      if (ended !== progress.ended) movedAt = Date.now();
      progress.ended = ended;
      if (Date.now() - told > 10_000) {
        log(`${ended} of ${total} turns have ended`);
        told = Date.now();
      }
      if (ended >= total || Date.now() - movedAt > STILL_MS) {
        progress.isOver = true;
        return ended >= total;
      }
      await sleep(100);
    }
  })();
  return progress;
}

/** Kills spread over the turns, two at a time at most; faults one after another beside them. */
async function breakThings({ world, progress, kills, faults, log }) {
  const { fleet, random, note, executable } = world;
  let next = 0;
  const killLane = async () => {
    while (next < kills && !progress.isOver) {
      const due = (progress.total * (next + 0.3)) / (kills + 1);
      next += 1;
      while (progress.ended < due && !progress.isOver) await sleep(20);
      if (progress.isOver) return;
      const alive = fleet.workers.filter((worker) => !worker.isOver() && !worker.isChosen);
      if (alive.length === 0) continue;
      const victim = random.pick(alive);
      victim.isChosen = true;
      await victim.ready.catch(() => {});
      await fleet.kill(victim, random.pick(POINTS));
      await noteOrphans(world, victim, executable, note);
    }
  };
  const faultLane = async () => {
    for (const [index, name] of faults.entries()) {
      const due = (progress.total * (index + 0.2)) / (faults.length + 1);
      while (progress.ended < due && !progress.isOver) await sleep(20);
      if (progress.isOver) {
        note('fault-missed', { name, ended: progress.ended, total: progress.total });
        continue;
      }
      log(`fault: ${name}`);
      progress.noteStep();
      world.sendPart(index + 1);
      await (FAULTS[name] ?? RARE_FAULTS[name])(world);
      progress.noteStep();
    }
  };
  await Promise.all([killLane(), killLane(), faultLane()]);
}

async function noteOrphans({ plan }, victim, executable, note) {
  const death = readNotes(plan.notes).findLast(({ kind, who }) => kind === 'death' && who === victim.name);
  const clis = (death?.children ?? [])
    .filter(({ command }) => command.includes(executable))
    .map(({ pid }) => pid);
  if (clis.length === 0) return;
  const ms = await awaitGone(clis, 10_000);
  note('orphan', { clis: clis.length, ms: ms === undefined ? null : Math.max(0, Date.now() - death.at) });
}

async function readHistories(journal, conversations) {
  const histories = [];
  for (let index = 0; index < conversations; index += 1) {
    const history = await journal.history(`c${index}`);
    if (history) histories.push(history);
  }
  return histories;
}

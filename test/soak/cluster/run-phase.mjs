// One phase of the cluster's soak: a PostgreSQL and a Redis of its own, worker processes, and a sender in this process that talks to a
// few conversations at a time, answers their questions and forgets them, for so many minutes. Returns what was measured.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ask, entryPoints, openCounter, openScene } from '../../../bench/cluster/scene.mjs';
import { startServices } from '../../../scripts/support/cluster-chaos/services.mjs';
import { waitUntilIdle } from './wait-until-idle.mjs';
import { Gauge } from '../gauge.mjs';

const HOST = fileURLToPath(new URL('worker.mjs', import.meta.url));
const PAIR = 'postgres+redis';
export const WORKERS = 2;
/** Conversations that are talked to at the same time. */
export const WIDTH = 8;
/** A conversation is forgotten after so many turns, and another takes its place. */
export const TURNS = 25;
/** Of so many turns, the last asks a question: alternately it is answered at once, and when its CLI has been ended. */
export const ASKS_EVERY = 5;
/** Short, so that how fast the turns were does not tell in the rows that are left. */
const RETENTION = { eventsMs: 10_000, auditMs: 10_000 };
/** Short, so that nothing is warm for long when the processes are to be measured. */
const KEEP_WARM_MS = 1000;
const SUSPEND_AFTER_MS = 300;
const LATE_ANSWER_MS = 700;
/** How often a phase is measured. */
const MEASURES = 12;
/** Bytes of heap that may stay for each turn, beyond the megabyte that the gauge allows. */
const HEAP_LIMIT = 1500;

function readCommandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has just ended. The next look does not see it.
    return '';
  }
}

async function startWorker(input, env) {
  const child = spawn(process.execPath, ['--expose-gc', '--no-warnings', HOST, JSON.stringify(input)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('A worker of the soak ended by itself.');
    return JSON.parse(value);
  };
  await read();
  return {
    ask(word) {
      child.stdin.write(`${word}\n`);
      return read();
    },
    /** Processes that this worker started and that still live, but for the guardian, which lives as long as the worker. */
    countChildren() {
      const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      return text.split(' ').filter((pid) => pid !== '' && !readCommandLine(pid).includes('inboard-guardian'))
        .length;
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Talks to one conversation after another until told to stop. Every turn must end well. */
async function talk({ cluster }, { isOver, pauseMs, onTurn }) {
  while (!isOver()) {
    const key = `soak-${randomUUID()}`;
    const conversation = cluster.conversation(key, { agent: 'desk', data: null });
    for (let turn = 0; turn < TURNS && !isOver(); turn += 1) {
      const isAsking = turn % ASKS_EVERY === ASKS_EVERY - 1;
      const sent = await conversation.send(ask({ k: key, n: turn, ask: isAsking }), { id: `${key}-${turn}` });
      const { ok, error } = await sent.outcome();
      if (!ok) throw new Error(`A turn of the soak failed: ${JSON.stringify(error)}`);
      onTurn();
      if (pauseMs > 0) await sleep(pauseMs);
    }
    await cluster.forget({ conversation: key });
    await cluster.prune(RETENTION, { apply: true });
  }
}

/** Answers the questions of all conversations until the signal aborts. Returns when all answers are written. */
async function answerQuestions({ cluster }, signal) {
  const { allow } = await import(`${entryPoints}/index.js`);
  const answers = new Set();
  let count = 0;
  try {
    for await (const { id } of cluster.approvals.watch({ signal })) {
      count += 1;
      const answer = (async (isLate) => {
        if (isLate) await sleep(LATE_ANSWER_MS);
        await cluster.approvals.answer(id, allow(), 'soak');
      })(count % 2 === 0);
      answers.add(answer);
      void answer.finally(() => answers.delete(answer));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await Promise.all(answers);
}

async function measureTables(counter) {
  const { rows: tables } = await counter.query(
    `select schemaname, relname as name, pg_total_relation_size(relid)::bigint bytes from pg_stat_user_tables`,
  );
  // Counted: the statistics lag behind by up to a second.
  for (const table of tables) {
    const { rows } = await counter.query(`select count(*)::int n from ${table.schemaname}.${table.name}`);
    table.live = rows[0].n;
  }
  const { rows: connections } = await counter.query(
    `select count(*)::int n from pg_stat_activity where backend_type = 'client backend'`,
  );
  const { rows: locks } = await counter.query(
    `select count(*)::int n from pg_locks where not pid = pg_backend_pid()`,
  );
  return {
    bytes: tables.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    rows: tables.reduce((sum, { live }) => sum + live, 0),
    tables: Object.fromEntries(tables.map(({ name, live }) => [name, live])),
    connections: connections[0].n,
    locks: locks[0].n,
  };
}

/** Runs it, and tells each measure on the console. `name` is for people, `pauseMs` lies between two turns of a conversation. */
export async function runPhase({ name, minutes, pauseMs }) {
  const services = await startServices({ redis: true });
  const temporary = mkdtempSync(join(tmpdir(), 'cluster-soak-'));
  const scene = await openScene({ pair: PAIR, services });
  await scene.journal.open();
  const counter = await openCounter(services.postgres);
  const gauge = new Gauge();
  const workers = [];
  const samples = [];
  let turns = 0;
  try {
    const input = {
      pair: PAIR,
      postgres: services.postgres,
      redis: services.redis,
      heapLimit: HEAP_LIMIT,
      keepWarmMs: KEEP_WARM_MS,
      suspendAfterMs: SUSPEND_AFTER_MS,
    };
    for (let index = 0; index < WORKERS; index += 1)
      workers.push(await startWorker(input, { ...process.env, TMPDIR: temporary }));
    const roundMs = (minutes * 60_000) / MEASURES;
    for (let round = 0; round < MEASURES; round += 1) {
      const before = { turns, statements: await counter.statements() };
      const until = performance.now() + roundMs;
      const isOver = () => performance.now() >= until;
      const onTurn = () => (turns += 1);
      const stop = new AbortController();
      const answering = answerQuestions(scene, stop.signal);
      await Promise.all(Array.from({ length: WIDTH }, () => talk(scene, { isOver, pauseMs, onTurn })));
      stop.abort();
      await answering;
      const statements = (await counter.statements()) - before.statements;
      const sample = { perTurn: statements / Math.max(1, turns - before.turns) };
      await waitUntilIdle({ scene, workers });
      sample.children = workers.reduce((sum, worker) => sum + worker.countChildren(), 0);
      await Promise.all([gauge.take(turns), ...workers.map((worker) => worker.ask('take'))]);
      await counter.query('vacuum');
      sample.files = readdirSync(temporary).length;
      sample.jobs = await services.countJobs();
      samples.push({ ...sample, ...(await measureTables(counter)) });
      const { rows, bytes, perTurn, children, files, jobs, tables } = samples.at(-1);
      console.log(
        `${name} ${round + 1}/${MEASURES}: ${turns} turns, ${perTurn.toFixed(1)} statements each, ${rows} rows, ${bytes} bytes, ` +
          `${children} CLIs, ${files} temporary files, ${jobs} keys in Redis ${JSON.stringify(tables)}`,
      );
    }
    const verdicts = [
      { who: 'sender', ...gauge.judge({ heapLimit: HEAP_LIMIT, doCountsWaver: true }) },
      ...(await Promise.all(
        workers.map(async (worker, index) => ({
          who: `worker ${index + 1}`,
          ...(await worker.ask('judge')),
        })),
      )),
    ];
    return { name, minutes, turns, samples, verdicts };
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
    await counter.close();
    await scene.close();
    await services.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

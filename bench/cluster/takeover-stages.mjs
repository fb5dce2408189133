// Where the time of a takeover goes (promise G5): from the end of a dead worker's lease until another worker finds the conversation,
// holds it, has its agent's options and shows its first message; on a quiet machine, and beside two processes that never rest.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ask, openScene } from './scene.mjs';
import { createTranscript } from './takeover.mjs';

const HOST = fileURLToPath(new URL('takeover-host.mjs', import.meta.url));
const WORKERS = 3;
/** Conversations left at the same time. Fewer than there are places, so that none has to wait for one. */
const AT_ONCE = 4;
const STAGES = [
  ['lease ended -> found by a worker', 'until', 'due'],
  ['found -> leased', 'due', 'leased'],
  ['leased -> agent asked for its options', 'leased', 'agent'],
  ['agent asked -> first message', 'agent', 'message'],
];

/** Starts a worker process; its notes go to `onNote`. */
async function startHost(input, onNote) {
  const child = spawn(process.execPath, ['--no-warnings', HOST, JSON.stringify(input)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => void child.once('exit', resolve));
  await new Promise((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('A worker of the takeover bench did not start.'));
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const note = JSON.parse(line);
      if (note.stage === 'ready') resolve();
      else onNote(note);
    });
  });
  return {
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Leaves a conversation as a killed worker does: a lease that nobody renews, and a turn that was cut off. */
async function leaveOne(journal, key) {
  const { turn } = await journal.enqueue({
    key,
    id: 'one',
    content: ask({ n: 1 }),
    start: { agent: 'desk', data: null },
  });
  const { fence, conversation } = await journal.lease(key, { owner: 'dead', ms: 3000 });
  await journal.next(fence);
  await journal
    .store(fence)
    .append(
      { projectKey: 'inboard-cluster', sessionId: conversation.sessionId },
      createTranscript(0, conversation.sessionId, turn.uuid),
    );
  // Its end is anywhere between two sweeps.
  await journal.renew([fence], 400 + Math.random() * 600);
}

/** When each of a few conversations came to each stage, by key. */
async function timeBatch({ journal, cluster }, notes, keys) {
  const stop = new AbortController();
  await Promise.all(keys.map((key) => leaveOne(journal, key)));
  const firsts = keys.map(async (key) => {
    for await (const event of cluster.conversation(key).events({ signal: stop.signal })) {
      if (event.type === 'message' && notes.get(key)?.message === undefined)
        notes.set(key, { ...notes.get(key), message: Date.now() });
      if (event.type === 'turn' && event.state === 'ended') break;
    }
  });
  await Promise.all(firsts);
  stop.abort();
  for (const key of keys) {
    const { leases } = await journal.history(key);
    const dead = leases.find(({ owner }) => owner === 'dead');
    const { dues = [], ...times } = notes.get(key);
    // A sweep may have seen the message before the lease was taken for the dead worker.
    notes.set(key, { ...times, until: dead.until, due: dues.find((at) => at >= dead.until) });
    await journal.remove(key);
  }
}

/** A process that never rests. */
function startBusyLoop() {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  return () => void child.kill('SIGKILL');
}

async function measureWith({ services, pair, batches, busy }) {
  const notes = new Map();
  const note = ({ stage, key, at }) => {
    const times = notes.get(key);
    if (stage === 'due') notes.set(key, { ...times, dues: [...(times?.dues ?? []), at] });
    // The first of each counts.
    else if (times?.[stage] === undefined) notes.set(key, { ...times, [stage]: at });
  };
  const scene = await openScene({ pair, services });
  await scene.journal.open();
  const input = { pair, postgres: services.postgres, redis: services.redis };
  const hosts = await Promise.all(Array.from({ length: WORKERS }, () => startHost(input, note)));
  const loops = Array.from({ length: busy }, startBusyLoop);
  try {
    for (let batch = 0; batch < batches; batch += 1) {
      const keys = Array.from({ length: AT_ONCE }, () => `stage-${randomUUID()}`);
      for (const key of keys) notes.set(key, {});
      await timeBatch(scene, notes, keys);
    }
  } finally {
    for (const stop of loops) stop();
    await Promise.all(hosts.map((host) => host.close()));
    await scene.close();
  }
  return [...notes.values()].filter(({ until }) => until !== undefined);
}

const percentile = (values, share) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
};
const figures = (values) =>
  `p50 ${percentile(values, 0.5).toFixed(0)}, p95 ${percentile(values, 0.95).toFixed(0)}, p99 ${percentile(values, 0.99).toFixed(0)} ms (${values.length})`;

/** Rows of the report: each stage, alone and beside two busy loops. */
export async function measureStages({ services, pair, batches = 20 }) {
  const rows = [];
  for (const busy of [0, 2]) {
    const all = await measureWith({ services, pair, batches, busy });
    const beside = busy === 0 ? 'alone' : `beside ${busy} busy loops`;
    for (const [name, from, to] of STAGES) {
      const values = all
        .filter((one) => one[from] !== undefined && one[to] !== undefined)
        .map((one) => one[to] - one[from]);
      rows.push([`${beside}: ${name}`, figures(values), '']);
    }
    rows.push([
      `${beside}: lease ended -> leased`,
      figures(all.map(({ until, leased }) => leased - until)),
      'G5: p50 600, p99 1200 ms',
    ]);
  }
  return rows;
}

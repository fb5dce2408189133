// What a large tool result costs the worker: how long its loop stands still, what the other conversations notice, and how much
// is kept. Its conversations are on the fake CLI of the chaos runs, which sends the result back in a message and in its transcript.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ask, openCounter, openScene } from './scene.mjs';

const LEASE_MS = 3000;
const OTHERS = 5;
const LINE = 'order 17, "paid", 12.50 €\n';

async function measureOne({ services, pair, megabytes }) {
  const text = LINE.repeat(Math.ceil((megabytes * 2 ** 20) / Buffer.byteLength(LINE)));
  const scene = await openScene({ pair, services, onRun: ({ k }) => (k === 'large' ? text : undefined) });
  const counter = await openCounter(services.postgres);
  const lost = [];
  const worker = await scene.cluster.work({
    concurrency: OTHERS + 1,
    leaseMs: LEASE_MS,
    keepWarmMs: 60_000,
    onEvent: (event) => event.type === 'lost' && lost.push(event.key),
  });
  // Warm, so that each has a lease that must be renewed.
  await Promise.all(
    Array.from({ length: OTHERS }, async (_, index) =>
      (await scene.start(`other-${megabytes}-${index}`).send(ask({ n: 1 }))).outcome(),
    ),
  );
  const before = await countKept(counter);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const turn = await scene.start(`large-${megabytes}`).send(ask({ k: 'large', n: 1 }));
  await turn.outcome();
  const ms = performance.now() - startedAt;
  delay.disable();
  const kept = (await countKept(counter)) - before;
  await worker.close();
  await scene.close();
  await counter.close();
  return { ms, blockedMs: delay.max / 1e6, kept, lost: new Set(lost).size };
}

/** Bytes of what is kept in parts, before PostgreSQL compresses it. */
async function countKept(counter) {
  const { rows } = await counter.query(
    'select coalesce(sum(octet_length(text)), 0) as bytes from inboard.content_parts',
  );
  return Number(rows[0].bytes);
}

/** Results of several sizes, one after the other. */
export async function measureResults({ services, pair, sizes = [1, 8, 48] }) {
  const rows = [];
  for (const megabytes of sizes) {
    const { ms, blockedMs, kept, lost } = await measureOne({ services, pair, megabytes });
    rows.push([
      `a tool result of ${megabytes} MB beside ${OTHERS} conversations, leases of ${LEASE_MS / 1000} s`,
      `the loop of the worker stands still for ${blockedMs.toFixed(0)} ms at most; the turn takes ${(ms / 1000).toFixed(1)} s; ` +
        `${(kept / 2 ** 20).toFixed(1)} MB are kept; ${lost} leases lost`,
      '',
    ]);
  }
  return rows;
}

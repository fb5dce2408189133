// What a turn costs in a cluster against a plain session on the same fake CLI: time, statements, rows; and how many turns and
// conversations one worker carries.
import { ask, createAgent, entryPoints, makeHome, openCounter, openScene } from './scene.mjs';
import { median } from '../report/statistics.mjs';
import { percentile } from '../../scripts/support/cluster-chaos/numbers.mjs';

const TURNS = 60;

/** Milliseconds of each turn of one session, its first left out: that one starts the CLI. */
export async function timePlain(turns) {
  const { InMemorySessionStore, openSession } = await import(`${entryPoints}/index.js`);
  const { home, remove } = makeHome();
  const agent = await createAgent({ home });
  // With a store, as every conversation of a cluster has one: a result waits for what the CLI reports of its transcript.
  const store = { sessionStore: new InMemorySessionStore(), sessionStoreFlush: 'eager' };
  const session = openSession({ oneByOne: true, options: { ...agent(), ...store } });
  const times = [];
  for (let n = 1; n <= turns + 1; n += 1) {
    const startedAt = performance.now();
    await session.send(ask({ n })).outcome();
    times.push(performance.now() - startedAt);
  }
  await session.close();
  remove();
  return times.slice(1);
}

/** The same through a cluster whose worker is in this process. */
async function timeCluster(pair, services, turns) {
  const scene = await openScene({ pair, services });
  const counter = services ? await openCounter(services.postgres) : undefined;
  const worker = await scene.cluster.work({ keepWarmMs: 60_000 });
  const conversation = scene.start('turns');
  const times = [];
  let before;
  for (let n = 1; n <= turns + 1; n += 1) {
    if (n === 2 && counter) before = { statements: await counter.statements(), rows: await counter.rows() };
    const startedAt = performance.now();
    const turn = await conversation.send(ask({ n }));
    await turn.outcome();
    times.push(performance.now() - startedAt);
  }
  let counted = {};
  if (counter) {
    // Statistics are written when a connection is idle.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    counted = {
      statements: ((await counter.statements()) - before.statements) / turns,
      rows: ((await counter.rows()) - before.rows) / turns,
    };
    await counter.close();
  }
  await worker.close();
  await scene.close();
  return { times: times.slice(1), ...counted };
}

/** Overhead per turn, for each pair. */
export async function measureOverhead({ services, pairs }) {
  const plain = median(await timePlain(TURNS));
  const rows = [['plain openSession with a store, a turn with one call', `${plain.toFixed(1)} ms`, '1.0x']];
  for (const pair of pairs) {
    const {
      times,
      statements,
      rows: kept,
    } = await timeCluster(pair, pair === 'memory' ? undefined : services, TURNS);
    const middle = median(times);
    const counted =
      statements === undefined ? '' : `; ${statements.toFixed(1)} statements, ${kept.toFixed(1)} rows a turn`;
    rows.push([
      `cluster on ${pair}`,
      `${middle.toFixed(1)} ms (p95 ${percentile(times, 0.95).toFixed(1)})${counted}`,
      `${(middle / plain).toFixed(1)}x`,
    ]);
  }
  return rows;
}

/** Turns a second of one worker with many conversations, and what each that stays warm costs it in memory. */
export async function measureThroughput({ services, pair, conversations = 40 }) {
  const scene = await openScene({ pair, services });
  const worker = await scene.cluster.work({ concurrency: 8, keepWarmMs: 60_000 });
  const rssBefore = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const rounds = 3;
  await Promise.all(
    Array.from({ length: conversations }, async (_, index) => {
      for (let n = 1; n <= rounds; n += 1)
        await (await scene.start(`many-${index}`).send(ask({ n }))).outcome();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const turns = conversations * rounds;
  const warm = worker.stats().warm;
  const rss = (process.memoryUsage.rss() - rssBefore) / 2 ** 20;
  await worker.close();
  await scene.close();
  return [
    [
      `one worker, ${conversations} conversations x ${rounds}, 8 at a time`,
      `${(turns / seconds).toFixed(1)} turns/s, CLIs started included`,
      '',
    ],
    ['the worker itself', `${((user + system) / 1000 / turns).toFixed(1)} ms of processor a turn`, ''],
    [
      'memory of the worker for each warm conversation',
      warm === 0 ? 'none is warm' : `${(rss / warm).toFixed(2)} MB (${warm} warm)`,
      '',
    ],
  ];
}

// How fast dispatchers wake: how long `wake()` takes where many conversations wait already, how many wakes a worker takes
// in a second, and how long a wake takes to its handler when nothing else happens. In memory, and through BullMQ on Redis
// and on PostgreSQL of this machine, as ratios to memory and as figures.
import { parseArgs } from 'node:util';
import { memoryDispatcher } from '../../dist/entry/cluster.js';
import { bullmqDispatcher } from '../../dist/entry/cluster-bullmq.js';
import { startPostgres } from '../../scripts/support/services/postgres-server.mjs';
import { startRedis } from '../../scripts/support/services/redis-server.mjs';
import { describeMachine, readLoad } from '../machine.mjs';

const { values } = parseArgs({
  options: { waiting: { type: 'string', default: '10000' }, wakes: { type: 'string', default: '1000' } },
});
const WAITING = Number(values.waiting);
const WAKES = Number(values.wakes);
const TOGETHER = 16;

/** The time of each call, in milliseconds, with some calls at a time. */
async function time(count, together, call) {
  const times = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      const start = performance.now();
      await call(index);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return times.toSorted((one, other) => one - other);
}

const quantile = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];

async function measure(create) {
  const dispatcher = create();
  // BullMQ is loaded, and connected.
  await dispatcher.wake('first');
  await time(WAITING, TOGETHER, (index) => dispatcher.wake(`waiting ${index}`));
  const alone = await time(WAKES, 1, (index) => dispatcher.wake(`more ${index}`));
  const together = await time(WAKES, TOGETHER, (index) => dispatcher.wake(`and more ${index}`));

  const all = WAITING + 2 * WAKES + 1;
  let seen = 0;
  const start = performance.now();
  let onSeen;
  const isDrained = new Promise((resolve) => {
    onSeen = () => ++seen === all && resolve();
  });
  await dispatcher.work(async () => onSeen(), { concurrency: 8 });
  await isDrained;
  const perSecond = (all / (performance.now() - start)) * 1000;

  const idle = await time(Math.min(WAKES, 200), 1, async (index) => {
    const isHandled = new Promise((resolve) => {
      onSeen = resolve;
    });
    await dispatcher.wake(`idle ${index}`);
    await isHandled;
  });
  await dispatcher.close();
  return {
    'wake() p50, ms': quantile(alone, 0.5),
    'wake() p99, ms': quantile(alone, 0.99),
    [`wake() p99 of ${TOGETHER} at a time, ms`]: quantile(together, 0.99),
    'wakes taken in a second': perSecond,
    'wake to handler p50, ms': quantile(idle, 0.5),
    'wake to handler p99, ms': quantile(idle, 0.99),
  };
}

const redis = await startRedis();
const postgres = await startPostgres();
try {
  const { cpu, cores, node } = describeMachine();
  console.log(`${cpu}, ${cores} cores, Node ${node}, load ${readLoad()}; ${WAITING} keys wait already`);
  const results = {
    memory: await measure(() => memoryDispatcher()),
    Redis: await measure(() => bullmqDispatcher({ connection: redis.url })),
    PostgreSQL: await measure(() => bullmqDispatcher({ connection: postgres.url })),
  };
  for (const name of Object.keys(results.memory)) {
    const row = Object.entries(results).map(([kind, figures]) => {
      const ratio = figures[name] / results.memory[name];
      return `${kind} ${figures[name].toPrecision(3)}${kind === 'memory' ? '' : ` (x ${ratio.toPrecision(2)})`}`;
    });
    console.log(`${name}: ${row.join(', ')}`);
  }
  console.log(`load at the end ${readLoad()}`);
} finally {
  await redis.stop();
  await postgres.stop();
}

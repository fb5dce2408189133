// A turn with one tool call in a warm conversation on PostgreSQL: its statements and its time, against the same turn of a plain session
// with a store. Starts a PostgreSQL of its own. `node bench/cluster/run.mjs --only warm-turn --print` prints it; needs `npm run build`.
import { startServices } from '../../scripts/support/cluster-chaos/services.mjs';
import { describeMissingServers, findPostgres } from '../../scripts/support/services/find-servers.mjs';
import { median } from '../report/statistics.mjs';
import { countStatements } from './count-statements.mjs';
import { ask, openScene } from './scene.mjs';
import { timePlain } from './turns.mjs';

/** Turns that are not measured: the first starts the CLI, and all of them warm up. */
const WARM_UP = 10;

/**
 * Medians of a warm turn, in milliseconds, and of its statements, without those that a worker sends by the clock. Rejects with what is
 * missing where there is no PostgreSQL.
 * @returns {Promise<{ statements: number, turnMs: number, plainMs: number, timed: Array<{ name: string, from: number, to: number }> }>}
 */
export async function measureWarmTurn({ turns = 60 } = {}) {
  if (findPostgres() === undefined) throw new Error(describeMissingServers());
  const plainMs = median((await timePlain(turns + WARM_UP)).slice(WARM_UP));
  const services = await startServices({ redis: false });
  const counter = countStatements();
  try {
    const measured = await measureCluster(services, counter, turns);
    return { ...measured, plainMs };
  } finally {
    counter.end();
    await services.close();
  }
}

async function measureCluster(services, counter, turns) {
  const scene = await openScene({ pair: 'postgres', services });
  const worker = await scene.cluster.work({ keepWarmMs: 60_000 });
  try {
    const conversation = scene.start('turns');
    const measured = [];
    for (let n = 1; n <= turns + WARM_UP; n += 1) {
      counter.take();
      const startedAt = performance.now();
      const turn = await conversation.send(ask({ n }));
      await turn.outcome();
      const ms = performance.now() - startedAt;
      // What a turn leaves to be done behind it is its own, too.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (n > WARM_UP) measured.push({ ms, startedAt, sent: counter.takeTimed() });
    }
    const sorted = measured.toSorted((one, other) => one.ms - other.ms);
    const middle = sorted[Math.floor(sorted.length / 2)];
    return {
      statements: median(measured.map(({ sent }) => sent.length)),
      turnMs: median(measured.map(({ ms }) => ms)),
      /** The statements of a turn in the middle, in milliseconds after its `send()`. */
      timed: middle.sent.map(({ name, from, to = NaN }) => ({
        name,
        from: from - middle.startedAt,
        to: to - middle.startedAt,
      })),
    };
  } finally {
    await worker.close();
    await scene.close();
  }
}

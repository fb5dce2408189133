// A reader of a chaos run: follows conversations from a process of its own, leaves now and then and comes back after the last
// event it had. Writes down each gap, each double, and how late an event was.
import { setTimeout as sleep } from 'node:timers/promises';
import { openNotes } from '../notes.mjs';
import { openPair } from '../pair.mjs';
import { createRandom } from '../random.mjs';

const plan = JSON.parse(process.env.CHAOS_PLAN);
const note = openNotes(plan.notes, plan.name);
const random = createRandom(plan.seed);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const cluster = createCluster({ agents: { desk: () => ({}) }, ...(await openPair(plan)) });

async function follow(key) {
  let last = 0;
  for (;;) {
    const stop = AbortSignal.timeout(random.between(500, 4000));
    const connectedAt = Date.now();
    try {
      for await (const event of cluster.conversation(key).events({ after: last, signal: stop })) {
        const id = Number(event.id);
        if (id !== last + 1) note('reader-gap', { key, id, last });
        // What lay there before this reader came says nothing about the way of a new one.
        if (event.at >= connectedAt) note('late', { ms: Date.now() - event.at });
        last = id;
      }
    } catch (error) {
      if (!stop.aborted) {
        note('reader-failed', { key, error: String(error) });
        await sleep(200);
      }
    }
  }
}

process.send?.({ ready: true });
await Promise.all(plan.keys.map(follow));

// A worker process of the cluster's soak. Takes one line of input for each thing it is asked: `take` measures what the process holds,
// `judge` says whether it grew. Started by run-phase.mjs with a JSON: the pair, the addresses, the heap's limit. Ends when its
// input ends.
import { createInterface } from 'node:readline';
import { createAgent, entryPoints, makeHome } from '../../../bench/cluster/scene.mjs';
import { openPair } from '../../../scripts/support/cluster-chaos/pair.mjs';
import { Gauge } from '../gauge.mjs';

const { pair, heapLimit, keepWarmMs, suspendAfterMs, ...addresses } = JSON.parse(process.argv[2]);
const { createCluster } = await import(`${entryPoints}/cluster.js`);
const { home, remove } = makeHome();
const gauge = new Gauge();
const say = (note) => process.stdout.write(`${JSON.stringify(note)}\n`);
let ended = 0;

const parts = await openPair({ pair, entryPoints, ...addresses });
const createOptions = await createAgent({ home });
const cluster = createCluster({ agents: { desk: () => createOptions() }, ...parts });
const worker = await cluster.work({
  concurrency: 4,
  keepWarmMs,
  suspendAfterMs,
  onEvent: ({ type }) => {
    if (type === 'turn-ended') ended += 1;
  },
});
say({ ready: worker.name });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'take') {
    await gauge.take(ended);
    say({ took: ended });
  } else if (line === 'judge') say(gauge.judge({ heapLimit, doCountsWaver: true }));
}
await worker.close();
await cluster.close();
remove();

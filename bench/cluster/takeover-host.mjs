// A worker process of the takeover bench: says on its output when it found, took and began what a dead worker had left. Started by
// takeover-stages.mjs with one argument, a JSON with `pair` and the addresses of the services. Ends when its input ends.
import { createAgent, entryPoints, makeHome } from './scene.mjs';
import { openPair } from '../../scripts/support/cluster-chaos/pair.mjs';

const { pair, ...addresses } = JSON.parse(process.argv[2]);
const { createCluster } = await import(`${entryPoints}/cluster.js`);
const { home, remove } = makeHome();
const say = (stage, key) => process.stdout.write(`${JSON.stringify({ stage, key, at: Date.now() })}\n`);

const parts = await openPair({ pair, entryPoints, ...addresses });
const journal = new Proxy(parts.journal, {
  get(target, name) {
    const value = target[name];
    if (typeof value !== 'function') return value;
    if (name !== 'due') return value.bind(target);
    return async (...given) => {
      const due = await target.due(...given);
      for (const { key } of due) say('due', key);
      return due;
    };
  },
});
const createOptions = await createAgent({ home });
const desk = ({ key }) => {
  say('agent', key);
  return createOptions();
};
const cluster = createCluster({ agents: { desk }, ...parts, journal });
const worker = await cluster.work({
  concurrency: 4,
  // Each conversation is asked for one turn. What stays warm would only take memory.
  keepWarmMs: 0,
  onEvent: (event) => {
    if (event.type === 'leased') say('leased', event.key);
    if (event.type === 'turn-ended') say('ended', event.key);
  },
});
say('ready', '');
process.stdin.resume();
await new Promise((resolve) => void process.stdin.once('end', resolve));
await worker.close();
await cluster.close();
remove();

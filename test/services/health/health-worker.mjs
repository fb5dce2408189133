// A worker process with a server for health. Its CLIs answer once `answer` comes on the standard input; `block <ms>` holds up its
// event loop. The agent `broken` always fails. Needs the built package.
import { createInterface } from 'node:readline';
import { createCluster, serveHealth } from '../../../dist/entry/cluster.js';
import { postgresJournal } from '../../../dist/entry/cluster-postgres.js';
import { createFakeCli, gate, held, text } from '../../../dist/entry/testing.js';

const [connectionString, options = '{}'] = process.argv.slice(2);
const { budgets, ...work } = JSON.parse(options);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const answer = gate();
createInterface({ input: process.stdin }).on('line', (line) => {
  const [command, ms] = line.split(' ');
  if (command === 'answer') answer.open();
  const end = performance.now() + Number(ms ?? 0);
  while (performance.now() < end);
});
const clis = [];
const cluster = createCluster({
  agents: {
    helper: () => {
      clis.push(createFakeCli([held(text('Done.'), answer)], { allowEarlyEnd: true }));
      return { transport: clis.at(-1).transport };
    },
    broken: () => {
      throw new Error('The agent is broken');
    },
  },
  journal: postgresJournal({ connectionString }),
  onTrouble: () => {},
  budgets,
});
const health = await serveHealth(cluster, { port: 0 });
const worker = await cluster.work({
  keepWarmMs: 0,
  ...work,
  onEvent: ({ type, where, key, why, error }) =>
    say({ type, where, key, why, error: error && String(error) }),
});
const told = worker.untilSignal();
say({ url: health.url });
await told.then(
  () => say({ end: 'drained' }),
  ({ code }) => say({ end: code }),
);
await cluster.close();
await Promise.all(clis.map((cli) => cli.close({ verify: false })));
await health.close();
process.stdin.destroy();

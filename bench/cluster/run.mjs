// Figures of the cluster: `node bench/cluster/run.mjs`, which starts PostgreSQL and Redis by itself and writes its section of
// bench/cluster/report.md. Needs `npm run build` before.
//   --only <part>,…   warm-turn, turns, throughput, parked, takeover, stages, results
//   --parked N        how many conversations wait (10 000)
//   --print           prints the table and writes nothing
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../plan/sdks.mjs';
import { writeSection } from '../../scripts/support/cluster-chaos/report.mjs';
import { startServices } from '../../scripts/support/cluster-chaos/services.mjs';
import { formatTable } from '../../scripts/support/cluster-chaos/table.mjs';
import { measureParked } from './parked.mjs';
import { measureResults } from './results.mjs';
import { measureStages } from './takeover-stages.mjs';
import { measureTakeovers } from './takeover.mjs';
import { measureOverhead, measureThroughput } from './turns.mjs';
import { measureWarmTurn } from './warm-turn.mjs';

const pair = 'postgres+redis';
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    parked: { type: 'string', default: '10000' },
    print: { type: 'boolean', default: false },
  },
});

/** A warm turn as rows. */
async function listWarmTurn() {
  const { statements, turnMs, plainMs, timed } = await measureWarmTurn();
  return [
    ['plain openSession with a store, a turn with one call', `${plainMs.toFixed(1)} ms`, '1.0x'],
    [
      'cluster on postgres',
      `${turnMs.toFixed(1)} ms; ${statements} statements`,
      `${(turnMs / plainMs).toFixed(1)}x`,
    ],
    ...timed.map(({ name, from, to }) => [name, `${from.toFixed(1)} to ${to.toFixed(1)} ms`, '']),
  ];
}

const PARTS = {
  'warm-turn': { heading: 'A warm turn on PostgreSQL', measure: listWarmTurn },
  turns: {
    heading: 'A turn in the cluster',
    measure: (services) =>
      measureOverhead({ services, pairs: ['memory', 'postgres', 'postgres+redis', 'postgres+bullmq-pg'] }),
  },
  throughput: { heading: 'One worker', measure: (services) => measureThroughput({ services, pair }) },
  parked: {
    heading: 'Conversations that wait',
    measure: (services) => measureParked({ services, pair, count: Number(values.parked) }),
  },
  results: { heading: 'A large tool result', measure: (services) => measureResults({ services, pair }) },
  stages: {
    heading: 'Where the time of a takeover goes',
    measure: (services) => measureStages({ services, pair }),
  },
  takeover: { heading: 'Taking over', measure: (services) => measureTakeovers({ services, pair }) },
};

const chosen = values.only === undefined ? Object.keys(PARTS) : values.only.split(',');
for (const name of chosen) {
  const part = PARTS[name];
  if (!part) throw new TypeError(`--only knows ${Object.keys(PARTS).join(', ')}, not ${name}`);
  // Each on services of its own: counts are of one part alone.
  const services = await startServices({ redis: true });
  try {
    const rows = await part.measure(services);
    console.log(`\n${part.heading}\n${formatTable(rows)}`);
    if (values.print) continue;
    const command = `node bench/cluster/run.mjs --only ${name}`;
    writeSection(join(root, 'bench', 'cluster', 'report.md'), {
      heading: part.heading,
      command,
      head: ['what', 'measured', 'against'],
      rows,
    });
  } finally {
    await services.close();
  }
}

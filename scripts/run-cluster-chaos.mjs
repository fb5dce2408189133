// Chaos on real processes: workers, a sender, a person who answers, a reader, on PostgreSQL and Redis; workers are killed and
// services broken at moments chosen by a seed, which is printed first. Then the journal is checked, and what was measured is
// printed as a table. Exits with 1 when a promise was broken, and names it. Needs `npm run build` before.
//   node scripts/run-cluster-chaos.mjs                    60 x 3 turns on the fake CLI, 12 kills, two faults chosen by the seed
//     --cli fake|real        default fake
//     --pair <name>          postgres, postgres+redis (default), postgres+bullmq-pg
//     --conversations N  --turns N  --workers N  --concurrency N  --recovery N (places for recovered ones, default 0)  --kills N
//     --fault <name>,…       approver, stop, clock, restart, stall, lock, flush, partition, slow, rolling; `all`, `none`;
//                            disk, which needs root; upgrade, downgrade, with --from
//     --from <package>       begins with an earlier package, on its tables: a commit, a name in EARLIER (earlier-package.mjs), or
//                            "any", where the seed chooses; the faults are then upgrade, downgrade, upgrade, and at the end
//                            tables that are too new for both packages
//     --lease <ms>           how long a lease lasts (default 3000; with --from 10000)
//     --seed <number>        default: made of the commit
//     --keep                 keeps the notes of the processes, and says where
//     --report <heading>     writes the table as a section of bench/cluster/report.md
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS, RARE_FAULTS } from './support/cluster-chaos/faults.mjs';
import { findBroken, findSlow, measure } from './support/cluster-chaos/judge.mjs';
import { buildEarlierPackage, pickEarlier } from './support/cluster-chaos/earlier-package.mjs';
import { PAIRS } from './support/cluster-chaos/pair.mjs';
import { createRandom } from './support/cluster-chaos/random.mjs';
import { writeSection } from './support/cluster-chaos/report.mjs';
import { readCommitSeed } from './support/commit-seed.mjs';
import { runChaos } from './support/cluster-chaos/run.mjs';
import { startServices } from './support/cluster-chaos/services.mjs';
import { formatTable } from './support/cluster-chaos/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const entryPoints = pathToFileURL(join(process.env.INBOARD_BUILD_DIR ?? join(root, 'dist'), 'entry')).href;

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: 'fake' },
    pair: { type: 'string', default: 'postgres+redis' },
    conversations: { type: 'string' },
    turns: { type: 'string', default: '3' },
    workers: { type: 'string' },
    concurrency: { type: 'string' },
    recovery: { type: 'string', default: '0' },
    kills: { type: 'string' },
    fault: { type: 'string' },
    from: { type: 'string' },
    lease: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

function readNumber(name, fallback) {
  const given = values[name];
  if (given === undefined) return fallback;
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new TypeError(`--${name} takes a whole number, not ${given}`);
  return number;
}

function readChoice(name, choices) {
  if (choices.includes(values[name])) return values[name];
  throw new TypeError(`--${name} is one of ${choices.join(', ')}, not ${values[name]}`);
}

function readFaults(seed) {
  const names = Object.keys(FAULTS);
  if (values.fault === 'none') return [];
  if (values.fault === 'all') return names;
  if (values.fault !== undefined) {
    const given = values.fault.split(',');
    const known = [...names, ...Object.keys(RARE_FAULTS)];
    const unknown = given.find((name) => !known.includes(name));
    if (unknown !== undefined) throw new TypeError(`--fault knows ${known.join(', ')}, not ${unknown}`);
    if (values.from === undefined && given.some((name) => name === 'upgrade' || name === 'downgrade'))
      throw new TypeError('--fault upgrade and downgrade need --from <package>');
    return given;
  }
  if (values.from !== undefined) return ['upgrade', 'downgrade', 'upgrade'];
  const random = createRandom(seed);
  const first = random.pick(names);
  return [first, random.pick(names.filter((name) => name !== first))];
}

const seed = readCommitSeed(values.seed, root);
const isReal = readChoice('cli', ['fake', 'real']) === 'real';
const settings = {
  seed,
  cli: values.cli,
  pair: readChoice('pair', PAIRS),
  conversations: readNumber('conversations', isReal ? 3 : 60),
  turns: readNumber('turns', 3),
  workers: readNumber('workers', isReal ? 2 : 4),
  concurrency: readNumber('concurrency', isReal ? 2 : 8),
  recovery: readNumber('recovery', 0),
  kills: readNumber('kills', isReal ? 2 : 12),
  faults: readFaults(seed),
  // An upgrade has few kills, whose leases are waited for. With short ones, a busy machine loses nearly all, and hardly a turn ends.
  leaseMs: readNumber('lease', values.from === undefined ? 3000 : 10_000),
  modelMs: isReal ? 100 : 20,
  toolMs: isReal ? 100 : 30,
};
console.log(`seed ${seed}: ${JSON.stringify(settings)}`);
const from = values.from === 'any' ? pickEarlier(seed) : values.from;
const earlier = from === undefined ? undefined : buildEarlierPackage(from, root);
if (earlier) console.log(`It begins with the package of ${earlier.commit} (${from}).`);

const services = await startServices({
  redis: settings.pair === 'postgres+redis',
  smallDisk: settings.faults.includes('disk'),
});
let outcome;
try {
  outcome = await runChaos({ settings, services, entryPoints, earlier, log: (line) => console.log(line) });
} finally {
  await services.close();
}
const wanted = { conversations: settings.conversations, turns: settings.turns };
const isRolling = settings.kills === 0 && settings.faults.join() === 'rolling';
const { checkHistory } = await import(`${entryPoints}/testing.js`);
// Two judges, written apart: that of this run, which also knows what its processes saw, and the one that users have.
const broken = [
  ...findBroken({ ...outcome, wanted, isRolling }),
  ...checkHistory(outcome.histories).map(({ promise, key, what }) => ({ promise, what: `${key}: ${what}` })),
  ...findSlow(outcome),
];
const rows = measure(outcome);
console.log(`\n${formatTable(rows)}\n`);
for (const { promise, what } of broken.slice(0, 40)) console.log(`${promise} broken: ${what}`);
if (values.keep || broken.length > 0) console.log(`What the processes saw: ${outcome.folder}`);
else outcome.remove();
const promises = [...new Set(broken.map(({ promise }) => promise))];
console.log(
  broken.length === 0
    ? `all promises kept, seed ${seed}`
    : `broken with seed ${seed}: ${promises.join(', ')}`,
);
if (values.report !== undefined) {
  const given = process.argv
    .slice(2)
    .filter((word, at, all) => word !== '--report' && all[at - 1] !== '--report');
  const command = [
    'node scripts/run-cluster-chaos.mjs',
    ...given,
    values.seed === undefined ? `--seed ${seed}` : '',
  ]
    .join(' ')
    .trim();
  const remarks =
    broken.length === 0
      ? ['No promise was broken.']
      : broken.map(({ promise, what }) => `- ${promise} broken: ${what}`);
  writeSection(join(root, 'bench', 'cluster', 'report.md'), {
    heading: values.report,
    command,
    head: ['what', 'measured', 'promised'],
    rows,
    remarks,
  });
}
process.exitCode = broken.length === 0 ? 0 : 1;

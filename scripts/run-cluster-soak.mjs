// Runs a cluster on PostgreSQL and Redis for a long time and shows that nothing grows: memory, handles, file descriptors and listeners
// of the workers and of the sender, CLIs and temporary files left behind, statements for a turn, connections, rows and bytes of the
// tables, keys in Redis. Not part of CI; the report of the last run is test/soak/cluster/report.md. Needs `npm run build`.
//   node scripts/run-cluster-soak.mjs                       30 minutes at a low rate, then 10 as fast as the workers can
//     --low <minutes>  --full <minutes>   others, 0 leaves a phase out
//     --report <file>                     writes the report; a phase that was left out keeps its section
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describeMachine, readCommit, readLoad } from '../bench/machine.mjs';
import { judgeSamples } from '../test/soak/cluster/judge-samples.mjs';
import { ASKS_EVERY, runPhase, TURNS, WIDTH, WORKERS } from '../test/soak/cluster/run-phase.mjs';
import { formatMarkdown } from './support/cluster-chaos/table.mjs';

const LOW_RATE_PAUSE_MS = 2000;

const { values } = parseArgs({
  options: {
    low: { type: 'string', default: '30' },
    full: { type: 'string', default: '10' },
    report: { type: 'string' },
  },
});
const PHASES = [
  { name: 'Low rate', flag: 'low', pauseMs: LOW_RATE_PAUSE_MS },
  { name: 'Full rate', flag: 'full', pauseMs: 0 },
].map((phase) => ({ ...phase, minutes: Number(values[phase.flag]) }));
for (const { flag, minutes } of PHASES) {
  if (!(minutes >= 0)) throw new Error(`--${flag} takes a number of minutes, not "${values[flag]}".`);
}

// The sender is this process: what it holds is measured after a collection as well.
setFlagsFromString('--expose-gc');
globalThis.gc ??= runInNewContext('gc');

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
const change = (from, to) => `${from} → ${to}`;
const verdict = (found) => (found.length === 0 ? 'flat' : found.join('; '));

function describeCounts({ first, last }) {
  return [
    ['rows in all tables', change(first.rows, last.rows)],
    ['size of the tables with indexes, MiB', change(mebibytes(first.bytes), mebibytes(last.bytes))],
    [
      'connections / locks',
      `${change(first.connections, last.connections)} / ${change(first.locks, last.locks)}`,
    ],
    ['statements for a turn', change(first.perTurn.toFixed(1), last.perTurn.toFixed(1))],
    [
      'CLIs left / temporary files',
      `${change(first.children, last.children)} / ${change(first.files, last.files)}`,
    ],
    ['keys in Redis', change(first.jobs, last.jobs)],
  ];
}

function describePhase({ name, flag, minutes, turns, samples, verdicts }) {
  const judged = judgeSamples(samples);
  const rows = [
    [`turns in ${minutes} minutes`, String(turns), ''],
    ...describeCounts(judged).map(([what, values], index) => [
      what,
      values,
      index === 0 ? verdict(judged.faults) : '',
    ]),
    ...verdicts.map(({ who, first, last, heapPerUnit, faults }) => [
      `${who}: heap MiB (bytes a turn) / memory MiB / handles / descriptors / listeners`,
      [
        `${change(mebibytes(first.heap), mebibytes(last.heap))} (${heapPerUnit.toFixed(0)})`,
        change(mebibytes(first.rss), mebibytes(last.rss)),
        ...['handles', 'files', 'listeners'].map((what) => change(first[what], last[what])),
      ].join(' / '),
      verdict(faults),
    ]),
  ];
  const { cpu, cores, system, node } = describeMachine();
  return `## ${name}

\`node scripts/run-cluster-soak.mjs --${flag} ${minutes}\` at ${readCommit()}; ${cores} cores (${cpu}, ${system}), Node ${node}, load ${readLoad()} at the end.

${formatMarkdown(['what', 'from → to', 'verdict'], rows)}
`;
}

const HEAD = `# Soak of the cluster

${WORKERS} workers on PostgreSQL and Redis, ${WIDTH} conversations at a time on the fake CLI of the chaos runs. Each turn has one tool call, every
${ASKS_EVERY}th also a question, answered alternately at once and after its CLI was ended. A conversation is forgotten after ${TURNS} turns, and
events and entries of the audit are removed by a retention of 10 s. At the low rate a conversation rests ${LOW_RATE_PAUSE_MS / 1000} s after each turn; at the full rate it does not. Each row compares
the end of a phase with its first quarter, always while nothing is under way. \`node scripts/run-cluster-soak.mjs --report
test/soak/cluster/report.md\` makes both sections.
`;

/** The section that an earlier run has written, if there is one. */
function readSection(name) {
  if (!values.report || !existsSync(values.report)) return undefined;
  const [, section] = readFileSync(values.report, 'utf8').split(`## ${name}\n`);
  return section === undefined ? undefined : `## ${name}\n${section.split('\n## ')[0].trimEnd()}\n`;
}

let isFlat = true;
const sections = [];
for (const phase of PHASES) {
  if (phase.minutes > 0) {
    const result = await runPhase(phase);
    sections.push(describePhase({ ...phase, ...result }));
    isFlat &&=
      judgeSamples(result.samples).faults.length === 0 &&
      result.verdicts.every(({ faults }) => faults.length === 0);
  } else sections.push(readSection(phase.name));
  const report = [HEAD, ...sections.filter(Boolean)].join('\n');
  if (phase === PHASES.at(-1)) console.log(report);
  if (values.report) {
    const missing = PHASES.slice(PHASES.indexOf(phase) + 1).map(({ name }) => readSection(name));
    writeFileSync(values.report, [HEAD, ...[...sections, ...missing].filter(Boolean)].join('\n'));
  }
}
process.exitCode = isFlat ? 0 : 1;

// What a worker needs for its CLIs: memory, processor time, descriptors and disk of the real CLI, within a turn and while it waits for
// the next one. `node bench/cluster/cli-size.mjs`, on Linux. Needs `npm run build` before; prints a table and writes nothing.
//   --clis N     conversations at the same time (4)
//   --turns N    further turns of each (10)
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createSdkMcpServer, tool } from 'inboard';
import { createCluster } from 'inboard/cluster';
import { startOffline, text, toolUse } from 'inboard/testing';
import { formatTable } from '../../scripts/support/cluster-chaos/table.mjs';

const { values } = parseArgs({
  options: { clis: { type: 'string', default: '4' }, turns: { type: 'string', default: '10' } },
});
const clis = Number(values.clis);

const offline = await startOffline({
  onExhausted: ({ answer }) => (answer ? text('It is there.') : toolUse('mcp__shop__look', {})),
});
const arrived = deferred();
const opened = deferred();
let inside = 0;
const look = tool('look', 'Looks', {}, async () => {
  inside += 1;
  if (inside === clis) arrived.resolve();
  await opened.promise;
  return 'seen';
});
const shop = createSdkMcpServer({ name: 'shop', tools: [look], alwaysLoad: true });
const cluster = createCluster({
  agents: { support: () => ({ ...offline.options, mcpServers: { shop }, allowedTools: [look], tools: [] }) },
});
await cluster.work({ concurrency: clis, keepWarmMs: 600_000 });
const rows = [];
const before = readProcess(process.pid);

const sent = await sendAll('1');
await arrived.promise;
note('within its first turn', readClis());
opened.resolve();
await outcomes(sent);
note('waits after 1 turn', readClis());
for (let turn = 2; turn <= Number(values.turns) + 1; turn += 1) await outcomes(await sendAll(String(turn)));
const after = readClis();
note(`waits after ${Number(values.turns) + 1} turns`, after);
const worker = readProcess(process.pid);
const home = offline.options.env['CLAUDE_CONFIG_DIR'] ?? offline.options.env['HOME'];
const disk = Number(/^\d+/.exec(execFileSync('du', ['-sk', home], { encoding: 'utf8' }))?.[0]);

const heads = [
  'the CLI',
  'memory (Pss)',
  'resident (RSS)',
  'highest',
  'processor so far',
  'descriptors',
  'threads',
];
console.log(formatTable([heads, ...rows]));
console.log(`\nWorker without CLIs: ${mib(before.pss)} MiB, ${before.descriptors} descriptors.`);
console.log(`Worker with ${clis} CLIs: ${mib(worker.pss)} MiB, ${worker.descriptors} descriptors.`);
console.log(`Files of ${clis} CLIs: ${(disk / 1024).toFixed(1)} MiB.`);
await cluster.close();
await offline.close({ verify: false });

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

async function sendAll(id) {
  return await Promise.all(
    Array.from({ length: clis }, (_, index) =>
      cluster.conversation(`chat-${index}`, { agent: 'support', data: null }).send('Is it there?', { id }),
    ),
  );
}

async function outcomes(turns) {
  for (const { ok, text } of await Promise.all(turns.map((turn) => turn.outcome())))
    if (!ok) throw new Error(`A turn failed: ${text}`);
}

function note(when, all) {
  const average = (pick) => all.reduce((sum, each) => sum + pick(each), 0) / all.length;
  rows.push([
    when,
    `${mib(average(({ pss }) => pss))} MiB`,
    `${mib(average(({ rss }) => rss))} MiB`,
    `${mib(Math.max(...all.map(({ peak }) => peak)))} MiB`,
    `${average(({ seconds }) => seconds).toFixed(2)} s`,
    average(({ descriptors }) => descriptors).toFixed(0),
    average(({ threads }) => threads).toFixed(0),
  ]);
}

/** The CLIs are the children with much memory; beside them there is a small shell that ends them. */
function readClis() {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
    .map((pid) => readProcess(pid))
    .filter(({ rss }) => rss > 50 * 1024);
  if (all.length !== clis) throw new Error(`There are ${all.length} CLIs, not ${clis}`);
  return all;
}

function parentOf(pid) {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  return Number(afterName(readFileSync(path, 'utf8'))[1]);
}

function afterName(stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProcess(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name, of) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(of)?.[1]);
  const stat = afterName(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return {
    pss: kilobytes('Pss', readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')),
    rss: kilobytes('VmRSS', status),
    peak: kilobytes('VmHWM', status),
    threads: kilobytes('Threads', status),
    seconds: (Number(stat[11]) + Number(stat[12])) / 100,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

function mib(kilobytes) {
  return Math.round(kilobytes / 1024);
}

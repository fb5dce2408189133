// Runs seeds with a simulator that was built into a folder, on the Node that runs this; the first that fails ends it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const HOUR_MS = 3_600_000;

const request = JSON.parse(process.argv[2]);
const { folder, from, seconds, drop, faults, scene, log, digests, isOne, isPlain } = request;
const count = Number(request.count);
const { createPlan, dropParts, FAULTS, openSimulator, shrink } = await import(
  pathToFileURL(join(folder, 'simulator.mjs')).href
);
for (const name of faults ?? [])
  if (!FAULTS.includes(name)) throw new Error(`There is no fault "${name}": ${FAULTS.join(', ')}, none.`);

const simulator = openSimulator(folder);
const begun = performance.now();
const spent = () => (performance.now() - begun) / 1000;
let virtualMs = 0;
let done = 0;
for (let seed = from; done < count && !(spent() >= seconds); seed += 1) {
  const plan = dropParts(createPlan(seed, { faults, scene }), drop);
  const report = await simulator.run(plan);
  virtualMs += report.virtualMs;
  done += 1;
  if (digests) console.log(`${seed} ${report.digest}`);
  if (report.broken.length === 0) {
    if (isOne && log) console.log(describeLog(report));
    continue;
  }
  process.exitCode = 1;
  console.log(
    `Seed ${seed}, ${report.digest}:\n  ${report.broken.join('\n  ')}\n  ${replayLine(seed, drop)}`,
  );
  if (log) console.log(describeLog(report));
  if (drop.length === 0 && !isPlain) {
    const small = await shrink(report, (smaller) => simulator.run(smaller));
    console.log(`Smaller:\n  ${small.report.broken.join('\n  ')}\n  ${replayLine(seed, small.dropped)}`);
  }
  break;
}
const took = spent();
const hours = virtualMs / HOUR_MS;
console.log(
  `Seeds ${from} to ${from + done - 1}: ${process.exitCode ? 'failed' : 'all promises kept'}; ${(done / took).toFixed(1)} seeds a second, ` +
    `${((hours / took) * 60).toFixed(1)} simulated hours a minute, Node ${process.version}.`,
);
// What a world that has ended still waits for would keep the process.
process.exit();

function replayLine(seed, parts) {
  const options = [
    ...(scene === undefined ? [] : [`--scene ${scene}`]),
    ...(faults === undefined ? [] : [`--faults ${faults.join(',') || 'none'}`]),
    ...(parts.length === 0 ? [] : [`--drop ${parts.join(',')}`]),
  ];
  return ['node scripts/run-simulator.mjs', `--seed ${seed}`, ...options, '--log'].join(' ');
}

function describeLog({ plan, log: lines }) {
  return [JSON.stringify(plan, undefined, 1), ...lines].join('\n');
}

// Does the same work for a long time and shows that nothing grows: heap, handles, file descriptors, listeners. Not part of
// CI; the report of the last run is test/soak/report.md.
//   npm run soak                                  everything, about ten minutes
//   npm run soak -- --scale 0.01 --minutes 0.2    a hundredth of it, to try a change
//   npm run soak -- --part children               one part
//   npm run soak -- --report test/soak/report.md  writes the report
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PARTS } from '../test/soak/parts.mjs';

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '3' },
    part: { type: 'string', multiple: true },
    report: { type: 'string' },
  },
});
for (const name of values.part ?? []) {
  if (!PARTS[name]) throw new Error(`There is no part "${name}": ${Object.keys(PARTS).join(', ')}.`);
}
const runner = fileURLToPath(new URL('../test/soak/run-part.mjs', import.meta.url));

async function runPart(name) {
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--no-warnings', runner, name, values.scale, values.minutes],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => void child.on('close', resolve));
  const line = output.trim().split('\n').at(-1);
  if (code !== 0 || !line) return { name, faults: [`ended with code ${code}`] };
  return JSON.parse(line);
}

function describe({ name, done, seconds, first, last, heapPerUnit, faults }) {
  if (!first) return `| ${name} | | | | | | | ${faults.join('; ')} |`;
  const change = (what) => `${first[what]} → ${last[what]}`;
  const heap = `${(first.heap / 2 ** 20).toFixed(1)} → ${(last.heap / 2 ** 20).toFixed(1)} MiB`;
  const cells = [
    `${done} ${PARTS[name].unit}`,
    `${Math.round(seconds)} s`,
    heap,
    `${heapPerUnit.toFixed(0)} (limit ${PARTS[name].heapLimit})`,
    change('handles'),
    change('files'),
    change('listeners'),
    faults.length === 0 ? 'flat' : faults.join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const lines = [
  '# Soak',
  '',
  `Made by \`npm run soak\` (scale ${values.scale}, ${values.minutes} minutes on the real CLI) at ${commit}, Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores.`,
  'Each column compares the process after a fifth of the work with the process at its end, after a collection.',
  '',
  '| work | time | heap | bytes left per unit | handles | file descriptors | listeners | verdict |',
  '|---|---|---|---|---|---|---|---|',
];
let faults = 0;
for (const name of values.part ?? Object.keys(PARTS)) {
  const result = await runPart(name);
  faults += result.faults.length;
  lines.push(describe(result));
  console.log(lines.at(-1));
}
if (values.report) writeFileSync(values.report, `${lines.join('\n')}\n`);
process.exitCode = faults === 0 ? 0 : 1;

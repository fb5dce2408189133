// Tries the journal against its model in many random orders: clients, workers that are killed and stall, people who answer.
// `npm test` does a few hundred of these runs.
//   node scripts/run-cluster-model.mjs                        10,000 seeds, from 1 on
//     --seeds <count>      how many
//     --from <seed>        the first
//     --seed <seed>        only this one
//     --messages <count>   how many each client sends; default 4
//     --faults <names>     of kill, stall, jump, bold (or none), by commas; default all
//     --log                prints all that happened in a run that fails
import { parseArgs } from 'node:util';
import { createJiti } from 'jiti';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    messages: { type: 'string', default: '4' },
    faults: { type: 'string' },
    log: { type: 'boolean' },
  },
});
const { FAULTS, replayLine, runModel, shrink } = await createJiti(import.meta.url).import(
  '../packages/cluster/test/model/run-model.ts',
);
const chosen =
  values.faults === undefined ? FAULTS : values.faults.split(',').filter((name) => name !== 'none');
for (const name of chosen) {
  if (!FAULTS.includes(name)) throw new Error(`There is no fault "${name}": ${FAULTS.join(', ')}, none.`);
}
const size = { messages: readNumber('messages'), faults: chosen };
const first = values.seed === undefined ? readNumber('from') : readNumber('seed');
const count = values.seed === undefined ? readNumber('seeds') : 1;
const begin = performance.now();
let steps = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const report = await runModel(seed, size);
  steps += report.steps;
  if (report.faults.length === 0) continue;
  process.exitCode = 1;
  console.log(`Seed ${seed}:\n  ${report.faults.join('\n  ')}\n  ${replayLine(seed, size)}`);
  if (values.log) console.log(report.log.join('\n'));
  if (values.seed === undefined) {
    const small = await shrink(report);
    console.log(
      `Smaller:\n  ${small.report.faults.join('\n  ')}\n  ${replayLine(small.report.seed, small.size)}`,
    );
  }
  break;
}
const seconds = ((performance.now() - begin) / 1000).toFixed(1);
console.log(
  `Seeds ${first} to ${first + count - 1}: ${process.exitCode ? 'failed' : 'as the model says'}, ${steps} steps, ${seconds} s.`,
);

function readNumber(name) {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`--${name} is a whole number, not ${values[name]}.`);
  return number;
}

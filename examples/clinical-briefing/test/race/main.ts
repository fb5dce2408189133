// Shows that the shutdown race is gone.
//   npm run race
import { listInterleavings, judge, playInterleaving } from './interleavings.js';
import { listenForOutcry } from './outcry.js';
import { runOnRealCli } from './real-runs.js';

const REAL_RUNS = 10;
const problems: string[] = [];
const counts = { runs: 0, answered: 0, cancelled: 0, tooLate: 0 };
const begun = performance.now();

const heard = await listenForOutcry(async () => {
  for (const interleaving of listInterleavings()) {
    const { request, arrives, fate, consumer } = interleaving;
    const name = `${request} that comes ${arrives} and ${fate}; the program ${consumer}`;
    counts.runs += 1;
    try {
      const late = await playInterleaving(interleaving);
      const problem = judge(interleaving, late);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
      if (late.answers === 1) counts.answered += 1;
      else if (late.wasHandled) counts.cancelled += 1;
      else counts.tooLate += 1;
    } catch (error) {
      problems.push(`${name}: ${String(error)}`);
    }
  }
  const { runs, answered, cancelled, tooLate } = counts;
  console.log(`${runs} interleavings on the fake CLI, none at random:`);
  console.log(
    `  the late request was answered once in ${answered}, cut off in ${cancelled}, came too late in ${tooLate}`,
  );
  problems.push(...(await runOnRealCli(REAL_RUNS)));
  console.log(`${REAL_RUNS} briefings on the real CLI, two at a time, every fifth cancelled in a search`);
});
for (const problem of [...problems, ...heard]) console.error(`  ${problem}`);
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
console.log(problems.length + heard.length === 0 ? `No race (${seconds} s).` : 'The race is back.');
process.exitCode = problems.length + heard.length === 0 ? 0 : 1;

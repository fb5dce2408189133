// The report of a run: JSON with every cell, and a page of Markdown with a table by step and fault, what was left out and
// why, and each cell that failed with how to play it again.
import { FAULTS, STEPS } from './table.mjs';

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Everything about a run, for programs. */
export function writeJson({ command, seed, results, excluded, seconds, real }) {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  return `${JSON.stringify({ command, seed, seconds, cells: results.length, failed, excluded, results, real }, undefined, 1)}\n`;
}

/** The same for people. */
export function writeMarkdown({ command, results, excluded, seconds, real }) {
  const failed = results.filter(({ problems }) => problems.length > 0);
  return [
    '# The fault matrix: report of a run',
    '',
    `Made by \`${command}\`: ${results.length} cells on real child processes, ${failed.length} failed, ${Math.round(seconds)} s.`,
    `Half of the cells took less than ${median(results.map(({ ms }) => ms))} ms.`,
    '',
    'Each number is the cells of a step and a fault, over all states of the host and all it does meanwhile; `2 of 9` means that',
    'two of nine failed.',
    '',
    ...table(results),
    '',
    '## Left out',
    '',
    '| combinations | why |',
    '|---|---|',
    ...Object.entries(excluded).map(([rule, count]) => `| ${count} | ${rule} |`),
    '',
    '## Failed',
    '',
    ...(failed.length === 0 ? ['None.'] : failed.flatMap(describeFailure)),
    '',
    ...(real.length === 0 ? [] : describeReal(real)),
  ].join('\n');
}

function table(results) {
  const faults = Object.keys(FAULTS);
  const count = (step, fault) => {
    const cells = results.filter((result) => result.step === step && result.fault === fault);
    const failed = cells.filter(({ problems }) => problems.length > 0).length;
    return failed > 0 ? `${failed} of ${cells.length}` : String(cells.length || '');
  };
  return [
    `| fault | ${STEPS.join(' | ')} |`,
    `|---|${STEPS.map(() => '---').join('|')}|`,
    ...faults.map((fault) => `| ${fault} | ${STEPS.map((step) => count(step, fault)).join(' | ')} |`),
  ];
}

/** A cell that failed, why, and how to play it alone. */
export function describeFailure({ name, problems }) {
  return [
    `- \`node scripts/run-faults.mjs --cell ${name}\``,
    ...problems.map((problem) => `  - ${problem.split('\n')[0]}`),
  ];
}

function describeReal(results) {
  const failed = results.filter(({ problems }) => problems.length > 0);
  return [
    '## On the real CLIs',
    '',
    `${results.length} cells, ${failed.length} failed: a signal from outside at a step, and what the host does then.`,
    '',
    '| cell | outcome |',
    '|---|---|',
    ...results.map(({ name, outcome, problems }) => `| ${name} | ${[outcome, ...problems].join('; ')} |`),
    '',
  ];
}

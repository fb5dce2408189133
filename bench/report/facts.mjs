// The sentences around a table: where it was made, how to read it, what went wrong.

/** Where, with what and how it was made, in a few lines. */
export function renderFacts({
  command,
  date,
  machine,
  load,
  versions,
  rounds,
  size,
  seconds,
  fewestRounds = rounds,
}) {
  const fewer = fewestRounds < rounds ? `, ${fewestRounds} of what takes longest` : '';
  const { cpu, cores, memoryGb, system, node } = machine;
  const others = [
    versions.official ? `official SDK ${versions.official}` : 'without the official SDK',
    ...(versions.cli ? [`real CLI ${versions.cli}`] : []),
  ];
  return [
    `Made by \`${command}\` on ${date.slice(0, 10)}, in ${Math.round(seconds)} s: medians of ${rounds} interleaved rounds${fewer} (lowest–highest), each measurement in a fresh process.`,
    `Inboard ${versions.inboard} at ${versions.commit}, ${others.join(', ')}; ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}; load ${load.before} before and ${load.after} after.`,
    ...(size === 'full' ? [] : [describeSize(size)]),
  ].join('\n');
}

/** The same in short lines, for the foot of the chart. */
export function renderChartFacts({ command, date, machine, versions, rounds, size }) {
  const rough = size === 'full' ? '' : ` (${size} sizes)`;
  return [
    `${command}${rough}, ${date.slice(0, 10)}: medians of ${rounds} interleaved rounds`,
    `Inboard ${versions.inboard} at ${versions.commit}, official SDK ${versions.official}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`,
  ];
}

function describeSize(size) {
  return size === 'quick'
    ? 'Quick: smaller sizes and fewer rounds, so the figures are rough.'
    : 'Smallest sizes: the figures mean nothing, but the bench runs. Rows have the names of the full sizes.';
}

/** What the signs of the table mean. */
export const LEGEND =
  'Every row is a cost: less is better. limit: a host without an SDK, which checks nothing (the better of two). times better than official: 2× is half its cost, below 1× Inboard is behind. times the limit: 1× leaves nothing to gain. ~: the rounds disagree.';

/** The rows on which Inboard is behind the official SDK, by more than the rounds of one of them differ. */
export function findRowsBehind(rows) {
  return rows.filter(
    ({ timesOfficial, official, inboard }) => timesOfficial < 1 && inboard.min > official.median,
  );
}

// What docs/performance.md says of a run: each part stands between two comments and is written anew by the bench.
import { findRowsBehind, LEGEND, renderFacts } from './facts.mjs';
import { formatNumber, formatTimes } from './format.mjs';
import { renderTable } from './table.mjs';

/** The page with every part written anew; throws when the page has no place for one, or places for others. */
export function rewritePage(page, results) {
  const parts = {
    table: renderTablePart(results),
    costs: renderCosts(results),
    behind: renderBehind(results),
  };
  const found = new Set();
  const text = page.replaceAll(
    /(<!-- bench:(\w+) -->\n)[\s\S]*?(<!-- bench:end -->)/g,
    (_, begin, name, end) => {
      if (parts[name] === undefined) throw new Error(`There is no part "${name}" of the bench.`);
      found.add(name);
      return `${begin}${parts[name]}\n${end}`;
    },
  );
  const missing = Object.keys(parts).filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`The page has no place for the part "${missing.join('", "')}".`);
  return text;
}

function renderTablePart(results) {
  return `${renderFacts(results)}\n\n${renderTable(results.rows)}\n\n${LEGEND}`;
}

/** What things cost, in sentences: the row, what is counted, how many of the row's units make one, what else to say. */
const COSTS = [
  ['calls-steady', 'A tool call', 'µs of CPU', 10, 'once a process is warm'],
  ['round-trip', "From the CLI's question to its answer", 'µs', 1],
  ['permissions-steady', 'A permission', 'µs of CPU', 10],
  ['sessions-memory', 'An open session', 'MB', 1, "besides the CLI's own memory"],
  ['first-byte-package', "A program's start, to the first byte of its first query", 'ms', 1],
  [
    'real-turn-cpu',
    'A turn on the real CLI with one permission and one call',
    'ms of CPU in your process',
    1,
  ],
];

function renderCosts({ rows, command }) {
  const lines = COSTS.flatMap(([id, what, unit, scale, more]) => {
    const row = rows.find((candidate) => candidate.id === id);
    if (!row?.inboard) return [];
    const write = (figure) => formatNumber(figure.median / scale);
    const others = [
      ...(row.official ? [`${write(row.official)} with the official SDK`] : []),
      ...(row.limit ? [`${write(row.limit)} without an SDK`] : []),
    ];
    return [`- ${what}: ${write(row.inboard)} ${unit} (${others.join(', ')})${more ? `, ${more}` : ''}.`];
  });
  return [`From the same run (\`${command}\`):`, '', ...lines, ...renderShare(rows)].join('\n');
}

/** What share of a turn on the real CLI is the SDK's: what it takes longer than the bare host. */
function renderShare(rows) {
  const { inboard, official, limit } = rows.find(({ id }) => id === 'real-turn') ?? {};
  if (!inboard || !limit) return [];
  const share = ({ median }) => {
    const extra = median - limit.median;
    return `${formatNumber(extra)} ms of ${formatNumber(median)} ms (${formatNumber((extra / median) * 100)} %)`;
  };
  const others = official ? `, with the official SDK ${share(official)}` : '';
  return [
    `- Of such a turn, with a model that answers at once, Inboard takes ${share(inboard)} more than a host without an SDK${others}. A real model takes seconds.`,
  ];
}

function renderBehind({ rows }) {
  const behind = findRowsBehind(rows);
  const describe = ({ text, unit, official, inboard, timesOfficial }) =>
    `- ${text}: ${formatNumber(inboard.median)} ${unit}, the official SDK ${formatNumber(official.median)} (${formatTimes(1 / timesOfficial)} its cost).`;
  const compared = rows.filter(({ timesOfficial }) => timesOfficial !== undefined).length;
  if (behind.length === 0)
    return `In this run there was no such row: on none of the ${compared} rows with both was every round of Inboard's worse than the official median.`;
  return [
    `On ${behind.length} of ${compared} rows every round of Inboard's was worse than the official median:`,
    '',
    ...behind.map(describe),
  ].join('\n');
}

// docs/comparison.md and the table of the README, made from test/peers/comparison.json.
import { table } from '../reference/markdown.mjs';

const HOW = {
  program: ({ id }) => `by program: probe \`${id}\``,
  reading: (_, { at }) => `by reading: ${link(at)}`,
  trial: (_, { at }) => `by trial: ${link(at)}`,
};

/** The whole page; `opening` is what stands above the tables. */
export function buildComparisonPage(data, opening) {
  const tables = data.tables.map(
    ({ id, heading, peers }) =>
      `## ${heading}\n\n${buildTable(
        data,
        peers,
        data.rows.filter((row) => row.tables.includes(id)),
      )}`,
  );
  const known = data.peers.map((peer) => `### ${peer.name}\n\n${describePeer(data, peer)}`);
  return [opening.trimEnd(), ...tables, '## How each cell is known', ...known, ''].join('\n\n');
}

/** The README's part between its marks, with the rows that decide. Throws where a mark is missing. */
export function fillComparisonPart(readme, data) {
  const marks = /(<!-- comparison: [^>]+-->\n)[\s\S]*?(<!-- end of comparison -->)/;
  if (!marks.test(readme))
    throw new Error('The README has no part "<!-- comparison: … -->" to "<!-- end of comparison -->".');
  const { peers, rows } = data.short;
  const chosen = rows.map((id) => data.rows.find((row) => row.id === id));
  const dates = peers.map((id) => data.peers.find((peer) => peer.id === id).date).toSorted();
  const looked = [...new Set([dates[0], dates.at(-1)])].join(' to ');
  const part = `${buildTable(data, peers, chosen)}

As of ${looked}. \`node scripts/compare-peers.mjs\` installs the packages and tries each upright cell; those in italics come from reading.`;
  return readme.replace(marks, (_, begin, end) => `${begin}\n${part}\n\n${end}`);
}

function buildTable(data, ids, rows) {
  const peers = ids.map((id) => data.peers.find((peer) => peer.id === id));
  const heads = peers.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  return table(
    ['', ...heads],
    rows.map((row) => [row.title, ...ids.map((id) => show(row.cells[id]))]),
  );
}

/** What a program has not tried is in italics. A question mark says as much by itself. */
function show({ value, how }) {
  return how === 'program' || value === '?' ? value : `*${value}*`;
}

function describePeer({ rows }, { id, package: name, version, date }) {
  const of =
    version === undefined
      ? 'This version'
      : name === undefined
        ? `Version ${version}`
        : `\`${name}@${version}\``;
  const lines = rows
    .filter(({ cells }) => cells[id] !== undefined)
    .map(
      (row) => `| ${row.title} | ${show(row.cells[id])} | ${HOW[row.cells[id].how](row, row.cells[id])} |`,
    );
  return [`${of}, looked at ${date}.`, '', '| row | cell | known |', '|---|---|---|', ...lines].join('\n');
}

/** Addresses as they are; pages of this project by their name. */
function link(at) {
  if (!at.startsWith('https://'))
    return `[${at.replace(/#.*/, '')}](${at === 'README.md' ? '../README.md' : at})`;
  return `[${at.replace(/^https:\/\//, '').replace(/\/$/, '')}](${at})`;
}

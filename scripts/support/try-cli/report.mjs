// Writes the report of a trial, for a terminal or as Markdown: a table, then what is in it.

const MOST_LISTED = 40;

/** One sentence on what came out. */
export function summarize({ version, known, parts, faults }) {
  if (faults.length === 0)
    return `Inboard works with CLI ${version}, as far as was tried (${parts.join(', ')}): nothing that it uses is missing or broken.`;
  const areas = [...new Set(faults.map(({ area }) => area))].join(', ');
  return `${count(faults.length, 'fault')} with CLI ${version}, compared with ${known}: ${areas}.`;
}

/** The report as text. */
export function writeText(report) {
  const rows = [['area', 'same', 'added', 'gone', 'changed'], ...report.areas.map(rowOf)];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  '),
  );
  const lines = [`CLI ${report.version} against ${report.known}`, '', ...table];
  for (const { title, entries } of sectionsOf(report)) {
    lines.push('', title);
    for (const entry of entries) lines.push(`  ${entry.replaceAll('\n', '\n      ')}`);
  }
  return `${[...lines, '', summarize(report)].join('\n')}\n`;
}

/** The report as Markdown. */
export function writeMarkdown(report) {
  const lines = [
    `## CLI ${report.version} against ${report.known}`,
    '',
    summarize(report),
    '',
    '| area | same | added | gone | changed |',
    '|---|---:|---:|---:|---:|',
    ...report.areas.map((area) => `| ${rowOf(area).join(' | ')} |`),
  ];
  for (const { title, entries } of sectionsOf(report)) {
    lines.push('', `### ${title}`, '');
    for (const entry of entries) {
      const [head, ...rest] = entry.split('\n');
      lines.push(`- \`${head.replaceAll('`', "'")}\``);
      if (rest.length > 0) lines.push('', '  ```text', ...rest.map((line) => `  ${line}`), '  ```', '');
    }
  }
  return `${lines.join('\n')}\n`;
}

function rowOf({ area, same, added, gone, changed }) {
  return [area, String(same), ...[added, gone, changed].map(({ length }) => String(length))];
}

function* sectionsOf({ areas, faults, notes, cases }) {
  if (faults.length > 0)
    yield {
      title: 'Faults',
      entries: faults.map(({ area, what, why }) => `${area}: ${what}${why ? `\n${why}` : ''}`),
    };
  for (const { area, added, gone, changed } of areas)
    for (const [word, entries] of Object.entries({ added, gone, changed }))
      if (entries.length > 0) yield { title: `${area}: ${word}`, entries: shorten(entries) };
  if (cases?.races.length > 0)
    yield { title: 'behaviours: failed first, passed alone', entries: cases.races };
  if (cases?.refused.length > 0)
    yield { title: 'behaviours: refused by name, as this CLI is too old for it', entries: cases.refused };
  if (notes.length > 0) yield { title: 'Notes', entries: notes };
}

function shorten(entries) {
  if (entries.length <= MOST_LISTED) return entries;
  return [
    ...entries.slice(0, MOST_LISTED),
    `… and ${entries.length - MOST_LISTED} more; --json has them all`,
  ];
}

function count(number, word) {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

// Compares what was measured with bounds.json, and tells it.

/** A row of the report: what was measured, noted and allowed, and whether that holds. */
export function judge({ name, measured, noted, isJudged }) {
  if (noted === undefined) return { name, measured, verdict: 'not noted' };
  const { measured: usual, most } = noted;
  if (!isJudged) return { name, measured, usual, most, verdict: 'not judged on this Node' };
  return { name, measured, usual, most, verdict: measured > most ? 'too much' : 'ok' };
}

/** What a reader needs to know of a row that does not hold; a limit that was chosen is not renewed. */
export function explain({ name, measured, usual, most, verdict }, { probe, isChosen }) {
  const renew = `npm run test:guard -- --renew --only "${probe}"`;
  if (verdict === 'not noted') return `${name} has no bound yet: ${renew}`;
  const more = usual > 0 ? Math.round((measured / usual - 1) * 100) : 0;
  const grown = more > 0 ? `, ${more} % more than the ${format(usual)} that were noted` : '';
  return [
    `${name} is ${format(measured)}${grown}; at most ${format(most)} is allowed.`,
    `    What it is made of: npm run test:guard -- --only "${probe}" --explain`,
    isChosen
      ? '    The limit was chosen: test/guard/table.mjs and docs/decisions say why.'
      : `    If it is worth it: ${renew}, with the reason in the commit.`,
  ].join('\n');
}

export function format(value) {
  if (value === undefined) return '-';
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}

/** The rows as a table in plain text. */
export function formatTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name, ...cells) => `${name.padEnd(width)}${cells.map((cell) => cell.padStart(14)).join('')}`;
  return [
    line('what', 'measured', 'noted', 'at most', ''),
    ...rows.map(
      ({ name, measured, usual, most, verdict }) =>
        `${line(name, format(measured), format(usual), format(most))}  ${verdict}`,
    ),
  ].join('\n');
}

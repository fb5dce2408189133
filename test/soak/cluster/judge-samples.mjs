// Says what grew in the database and on the machine while the cluster did the same work, from samples taken whenever nothing was under
// way.

/** What a table may hold beyond the first sample that counts: room of rows that were deleted is used again only in part. */
const BYTES_FACTOR = 1.5;
/** A worker may have reported between two samples, and money is counted in rows that are spread by chance. */
const ROWS_FACTOR = 1.1;
const ROWS_SLACK = 50;
const STATEMENTS_SLACK = 0.5;

/** The first quarter warms up. Returns the first sample that counts, the last one, and in words what grew: nothing if all is flat. */
export function judgeSamples(samples) {
  const counted = samples.slice(Math.floor(samples.length / 4));
  const [first, last] = [counted[0], counted.at(-1)];
  const half = Math.floor(counted.length / 2);
  const faults = [];
  const grew = (what, unit = '') => faults.push(`${what} grew from ${first[what]} to ${last[what]}${unit}`);
  if (last.rows > first.rows * ROWS_FACTOR + ROWS_SLACK) {
    const tables = Object.keys(last.tables).filter((name) => last.tables[name] > (first.tables[name] ?? 0));
    faults.push(`rows grew from ${first.rows} to ${last.rows} (${tables.join(', ')})`);
  }
  if (last.bytes > first.bytes * BYTES_FACTOR) grew('bytes', ' in the tables');
  // These waver with the moment of the sample. They have grown if each of the later half is above all of the earlier half.
  for (const what of ['connections', 'locks', 'children', 'files', 'jobs']) {
    const of = (part) => part.map((sample) => sample[what]);
    if (Math.min(...of(counted.slice(half))) > Math.max(...of(counted.slice(0, half)))) grew(what);
  }
  if (last.perTurn > first.perTurn * ROWS_FACTOR + STATEMENTS_SLACK)
    faults.push(`statements for a turn grew from ${first.perTurn.toFixed(1)} to ${last.perTurn.toFixed(1)}`);
  return { first, last, faults };
}

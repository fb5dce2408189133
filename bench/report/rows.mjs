// The rows of the table, made of what the rounds measured. The limit of a row is the better one of the two bare hosts.
import { describeRow, settingsOf } from '../plan/scenarios.mjs';
import { ratio, summarize } from './statistics.mjs';

const LIMITS = ['limit-raw', 'limit-readline'];

/** One row for each that has a value: its text, its figures by target, how it compares. */
export function createRows({ scenarios, values, size }) {
  return scenarios.flatMap((scenario) => {
    const settings = settingsOf(scenario, size);
    return scenario.rows
      .filter(({ id }) => values[id] !== undefined)
      .map((row) => createRow({ ...row, text: describeRow(row, settings) }, values[row.id]));
  });
}

function createRow({ id, text, unit, better }, measured) {
  const { official, inboard } = Object.fromEntries(
    Object.entries(measured).map(([name, values]) => [name, summarize(values)]),
  );
  const limit = chooseLimit(measured, better);
  const row = { id, text, unit, better, official, inboard, limit };
  if (better === undefined || inboard === undefined) return row;
  const compare = (other) => other && ratio(inboard.median, other.median, better);
  // A heap that does not grow at all has no multiple.
  if (limit?.median > 0) row.timesLimit = 1 / compare(limit);
  if (official && inboard.median > 0) row.timesOfficial = compare(official);
  return row;
}

function chooseLimit(measured, better) {
  const limits = LIMITS.filter((name) => measured[name]).map((name) => ({
    host: name.replace('limit-', ''),
    ...summarize(measured[name]),
  }));
  const order = better === 'higher' ? -1 : 1;
  return limits.toSorted((a, b) => order * (a.median - b.median))[0];
}

// The rows of the table, made of what the rounds measured. The limit of a row is the better one of the two bare hosts.
import { describeRow, settingsOf } from '../plan/scenarios.mjs';
import { summarize } from './statistics.mjs';

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

function createRow({ id, text, unit, isCompared }, measured) {
  const { official, inboard } = Object.fromEntries(
    Object.entries(measured).map(([name, values]) => [name, summarize(values)]),
  );
  const limit = chooseLimit(measured);
  const row = { id, text, unit, official, inboard, limit };
  if (!isCompared || inboard === undefined) return row;
  // What costs nothing at all has no multiple.
  if (limit?.median > 0) row.timesLimit = inboard.median / limit.median;
  if (official && inboard.median > 0) row.timesOfficial = official.median / inboard.median;
  return row;
}

function chooseLimit(measured) {
  const limits = LIMITS.filter((name) => measured[name]).map((name) => ({
    host: name.replace('limit-', ''),
    ...summarize(measured[name]),
  }));
  return limits.toSorted((a, b) => a.median - b.median)[0];
}

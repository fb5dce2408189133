// What became of the end-to-end cases: read from vitest's report, and sorted by what a failure means.
import { relative } from 'node:path';

/** The cases of a report: file, groups and title, whether it passed, and what it said if not. */
export function readCases(report, { root, version }) {
  return report.testResults.flatMap(({ name, assertionResults, message }) => {
    const file = relative(root, name).replaceAll('\\', '/');
    // A file that cannot even be loaded has no cases.
    if (assertionResults.length === 0)
      return [{ id: file, file, title: '', status: 'failed', why: firstLines(message) }];
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, ancestorTitles, status, failureMessages = [] }) => ({
        // The version stands in a group's name; the case is the same one.
        id: [file, ...ancestorTitles.map((each) => withoutVersion(each, version)), title].join(' > '),
        file,
        title,
        status,
        why: status === 'failed' ? firstLines(failureMessages.at(-1)) : '',
      }));
  });
}

function withoutVersion(text, version) {
  return text.replaceAll(/\b\d+\.\d+\.\d+\b/g, (found) =>
    version === undefined || found === version ? '*' : found,
  );
}

const MOST_LINES = 12;

function firstLines(text = '') {
  // oxlint-disable-next-line no-control-regex -- colours of the terminal
  const lines = text.replaceAll(/\u001B\[[\d;]*m/g, '').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, MOST_LINES)
    .join('\n');
}

/**
 * Sorts the cases by what came of them in up to four runs: `first`, on the tried CLI as the newest one; `again`, those that
 * failed, alone; `asOldest`, those that failed twice, held against the oldest CLI; `known`, what is left, on the known CLI. Later
 * runs have only some of the cases, and may be undefined.
 */
export function sortCases({ first, again, asOldest, known }) {
  const sorted = { passed: [], races: [], likeOldest: [], refused: [], broken: [], failed: [] };
  const passesIn = (run, { id }) => run?.some((each) => each.id === id && each.status === 'passed') ?? false;
  for (const each of first) sorted[classify(each)].push(each);
  return sorted;

  function classify(each) {
    if (each.status === 'passed') return 'passed';
    if (passesIn(again, each)) return 'races';
    if (passesIn(asOldest, each)) return 'likeOldest';
    const tries = [each, ...[again, asOldest].flatMap((run) => run?.find(({ id }) => id === each.id) ?? [])];
    if (tries.some(isRefusal)) return 'refused';
    // A case that fails on the known CLI as well tells of this machine, not of the tried one.
    return known !== undefined && !passesIn(known, each) ? 'broken' : 'failed';
  }
}

/** Inboard's words for an option or a control request that came after the CLI at hand. */
export function isRefusalText(text) {
  return /needs Claude CLI \d|does not know the control request|does not report that it supports|Use version \d\S* or newer/.test(
    text,
  );
}

/** Whether Inboard said in so many words that this CLI is too old for what the case does. */
function isRefusal({ why }) {
  return isRefusalText(why);
}

// Puts the tables side by side: equal rows on one line, in an order that keeps as many of them together as can be.
import type { Step } from './document.ts';
import type { Run } from '../src/record-run.ts';

/** One line of the joint table: the document's row and that of each run, where they have it; `step` is any of them. */
export interface Line {
  key: string;
  step: Step;
  document?: Step;
  runs: (Step | undefined)[];
}

/** Aligns the runs with the document, one after the other. */
export function alignTables(document: readonly Step[], runs: readonly Run[]): Line[] {
  const keyOf = ({ layer, direction, event }: Step): string => `${layer} ${direction} ${event}`;
  const lineOf = (step: Step): Line => ({ key: keyOf(step), step, runs: runs.map(() => undefined) });
  let lines = document.map((step): Line => ({ ...lineOf(step), document: step }));
  for (const [column, { steps }] of runs.entries()) {
    lines = pair(lines, steps.map(lineOf)).map(({ either, right }) =>
      right ? { ...either, runs: either.runs.with(column, right.step) } : either,
    );
  }
  return lines;
}

/** Pairs along the longest common subsequence; what only one side has stands where that side has it. */
function pair(left: readonly Line[], right: readonly Line[]): { either: Line; right?: Line }[] {
  // How many can be paired from the i-th on the left and the j-th on the right on; found from the end.
  const common = left.concat(left.slice(0, 1)).map(() => right.map(() => 0));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (const i of [...left.keys()].toReversed())
    for (const j of [...right.keys()].toReversed())
      common[i]![j] =
        left[i]!.key === right[j]!.key ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));

  const pairs: { either: Line; right?: Line }[] = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length;) {
    const [one, other] = [left[i], right[j]];
    const areSame = one?.key === other?.key;
    const takesLeft = one && (areSame || !other || at(i + 1, j) > at(i, j + 1));
    if (takesLeft) pairs.push(areSame && other ? { either: one, right: other } : { either: one });
    else if (other) pairs.push({ either: other, right: other });
    if (takesLeft) i += 1;
    if (areSame || !takesLeft) j += 1;
  }
  return pairs;
}

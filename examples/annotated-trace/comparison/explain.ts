// How each run differs from the document, cell by cell, and the reason that its recording supports.
import type { Line } from './align.ts';
import { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences.ts';
import type { Run } from '../src/record-run.ts';

/** A cell that differs: only the document has the row, only the run, or both elsewhere. Without a reason it is unexplained. */
export interface Difference {
  line: number;
  run: number;
  kind: 'missing' | 'extra' | 'moved';
  reason: KnownDifference | undefined;
}

/** Every difference between the document and the runs, in the order of the table. */
export function explainDifferences(lines: readonly Line[], runs: readonly Run[]): Difference[] {
  const isIn = (step: unknown): boolean => step !== undefined;
  return lines.flatMap(({ key, step, document, runs: cells }, line) =>
    runs.flatMap((run, column) => {
      // A row that neither of the two has was added by another run.
      if (isIn(cells[column]) === isIn(document)) return [];
      const others = lines.filter((other) => other.key === key && isIn(other.document) !== isIn(document));
      const isElsewhere = others.some((other) => isIn(other.runs[column]) === isIn(document));
      const kind = isElsewhere ? 'moved' : document ? 'missing' : 'extra';
      const reason = KNOWN_DIFFERENCES.find(({ holds }) => holds({ kind, step, run }));
      return [{ line, run: column, kind, reason }];
    }),
  );
}

/** A test file that failed: what failed in it and how; nothing where it failed as a whole. */
export interface FailedFile {
  project: string;
  file: string;
  tests: string[];
}

/** What a run of tests tells. `homeless` counts errors outside of any test file. */
export interface FailureReport {
  failed: FailedFile[];
  repeated: string[];
  homeless: number;
}

export function planSecondTry(report: FailureReport | undefined): { args: string[] } | { refused: string };
export function listUnstable(first: FailureReport, second: FailureReport | undefined): string[];

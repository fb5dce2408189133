/** The list of tests that build the package, from the text of vitest.config.ts. */
export function readBuiltTests(config: string): string[];

/** Divides the tests that are reached into those that are run, and sentences about the others with the command that runs them. */
export function chooseTests(request: {
  reached: readonly string[];
  /** The tests that build the package. */
  built: readonly string[];
  isBuiltRun?: boolean | undefined;
}): { tests: string[]; hints: string[] };

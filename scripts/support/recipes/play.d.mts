import type { PlayedRecipe, RecipeEdit } from './recipes.mjs';

/** What recipes are played on. */
export interface PlayedCopy {
  duplicate(): PlayedCopy;
  read(path: string): string | undefined;
  keep(path: string): void;
  write(path: string, text: string | undefined): void;
  edit(edits?: readonly RecipeEdit[]): void;
  restore(): void;
  check(
    tests: readonly string[],
    workers: number,
  ): Promise<{ passed: boolean; hasRun: boolean; output: string }>;
  /** Runs every test that the changes reach, those that build the package too. */
  checkReached(): Promise<{ passed: boolean; hasRun: boolean; output: string }>;
  run(words: readonly string[]): Promise<{ passed: boolean; output: string }>;
  remove(): void;
}

/**
 * Plays the recipes; `report` hears of each expectation. Without a seed, each step is left out in turn, and every test that all steps
 * reach must pass. `isWhole` leaves out no step.
 */
export function playRecipes(given: {
  recipes: readonly PlayedRecipe[];
  seed: number | undefined;
  isWhole?: boolean | undefined;
  copy: PlayedCopy;
  report: (holds: boolean, text: string, output: string) => void;
}): Promise<void>;

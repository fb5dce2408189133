import type { PlayedRecipe, RecipeStep } from './recipes.mjs';

/** Pairs of a recipe and a step of it. Without a seed, every step. */
export function chooseSteps(
  recipes: readonly PlayedRecipe[],
  seed: number | undefined,
): { recipe: PlayedRecipe; step: RecipeStep }[];

/** Half of the recipes. Another seed takes others. */
export function chooseHalf(recipes: readonly PlayedRecipe[], seed: number): readonly PlayedRecipe[];

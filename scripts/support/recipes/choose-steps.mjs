// Which steps are left out: all of them, or one of each recipe by a seed.
import { createHash } from 'node:crypto';

/** Pairs of a recipe and a step of it. Without a seed, every step. */
export function chooseSteps(recipes, seed) {
  return recipes.flatMap((recipe) => {
    if (seed === undefined) return recipe.steps.map((step) => ({ recipe, step }));
    const digest = createHash('sha256').update(`${seed} ${recipe.id}`).digest();
    return [{ recipe, step: recipe.steps[digest.readUInt32BE() % recipe.steps.length] }];
  });
}

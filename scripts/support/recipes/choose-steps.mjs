// Which steps are left out: all of them, or one of each recipe by a seed, or one of each second recipe.
import { createHash } from 'node:crypto';

/** Pairs of a recipe and a step of it. Without a seed, every step. */
export function chooseSteps(recipes, seed) {
  return recipes.flatMap((recipe) => {
    if (seed === undefined) return recipe.steps.map((step) => ({ recipe, step }));
    return [{ recipe, step: recipe.steps[draw(`${seed} ${recipe.id}`) % recipe.steps.length] }];
  });
}

/** Half of the recipes. Another seed takes others. */
export function chooseHalf(recipes, seed) {
  const places = new Map(recipes.map(({ id }) => [id, draw(`half ${seed} ${id}`)]));
  const half = recipes.toSorted((one, other) => places.get(one.id) - places.get(other.id));
  return half.slice(0, Math.ceil(recipes.length / 2));
}

function draw(text) {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

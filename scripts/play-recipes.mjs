// Plays the recipes of RECIPES.md on copies of the project. With all steps, the tests that the recipes name must pass. Without one
// step, those that this step names must fail. Ends with the line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/play-recipes.mjs     leaves out one step of each recipe, chosen by the commit
//     --half            only half of the recipes, chosen by the commit
//     --all             leaves out each step in turn; and with all steps, every test that they reach must pass
//     --whole           leaves out none: with all steps, every test that they reach must pass
//     --recipe <name>   plays this recipe alone, such as option or control; repeatable
//     --seed <number>   chooses by this number instead of the commit
//     --list            says which steps there are and which are chosen, and plays none
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCommitSeed } from './support/commit-seed.mjs';
import { readTree } from './support/reach/read-tree.mjs';
import { chooseHalf, chooseSteps } from './support/recipes/choose-steps.mjs';
import { copyProject } from './support/recipes/copy-project.mjs';
import { playRecipes } from './support/recipes/play.mjs';
import { NOT_PLAYED, PLAYED } from './support/recipes/recipes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    all: { type: 'boolean' },
    half: { type: 'boolean' },
    whole: { type: 'boolean' },
    recipe: { type: 'string', multiple: true },
    seed: { type: 'string' },
    list: { type: 'boolean' },
  },
});
const known = PLAYED.map(({ id }) => id);
const wrong = (values.recipe ?? []).filter((id) => !known.includes(id));
if (wrong.length > 0) {
  console.error(`There is no recipe "${wrong[0]}" that is played: choose ${known.join(', ')}.`);
  process.exit(2);
}
const seed = values.all ? undefined : readCommitSeed(values.seed, root);
const recipes = values.half
  ? chooseHalf(PLAYED, readCommitSeed(values.seed, root))
  : PLAYED.filter(({ id }) => values.recipe?.includes(id) ?? true);

console.log(describeChoice());
for (const [title, why] of Object.entries(NOT_PLAYED)) console.log(`Not played of "${title}": ${why}.`);
if (values.list) {
  const chosen = new Set(values.whole ? [] : chooseSteps(recipes, seed).map(({ step }) => step));
  for (const { id, steps } of recipes)
    for (const step of steps)
      console.log(`${chosen.has(step) ? '*' : ' '} ${id}: ${step.name} (${step.red.join(', ')})`);
} else {
  process.exitCode = (await play()) ? 0 : 1;
}

function describeChoice() {
  if (values.whole) return 'No step is left out.';
  if (seed === undefined) return 'Each step is left out in turn.';
  const which = values.half ? `of ${recipes.map(({ id }) => id).join(', ')}` : 'of each recipe';
  return `One step ${which} is left out, seed ${seed}.`;
}

async function play() {
  const { files, others } = readTree(root);
  const copy = copyProject(root, [...files.keys(), ...others]);
  const count = { passed: 0, failed: 0 };
  const begin = performance.now();
  const report = (holds, text, output) => {
    count[holds ? 'passed' : 'failed'] += 1;
    const seconds = Math.round((performance.now() - begin) / 1000);
    console.log(`${holds ? 'passed' : 'FAILED'}  ${text}  [${seconds} s]`);
    if (!holds) console.log(output.split('\n').slice(-200).join('\n'));
  };
  await playRecipes({ recipes, seed, isWhole: values.whole, copy, report });
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  return count.failed === 0;
}

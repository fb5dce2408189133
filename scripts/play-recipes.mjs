// Plays the recipes of RECIPES.md on a copy of the project. With all steps, the tests that the recipe names must pass. Without one
// step, those that this step names must fail. Ends with the line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/play-recipes.mjs     leaves out one step of each recipe, chosen by the commit
//     --all             leaves out each step in turn
//     --recipe <name>   plays this recipe alone: option, error, warning
//     --seed <number>   chooses by this number instead of the commit
//     --list            says which steps there are and which are chosen, and plays none
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCommitSeed } from './support/commit-seed.mjs';
import { readTree } from './support/reach/read-tree.mjs';
import { chooseSteps } from './support/recipes/choose-steps.mjs';
import { copyProject } from './support/recipes/copy-project.mjs';
import { NOT_PLAYED, PLAYED } from './support/recipes/recipes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    all: { type: 'boolean' },
    recipe: { type: 'string' },
    seed: { type: 'string' },
    list: { type: 'boolean' },
  },
});
const recipes = PLAYED.filter(({ id }) => values.recipe === undefined || id === values.recipe);
if (recipes.length === 0) {
  console.error(
    `There is no recipe "${values.recipe}" that is played: choose ${PLAYED.map(({ id }) => id).join(', ')}.`,
  );
  process.exit(2);
}
const seed = readCommitSeed(values.seed, root);
const chosen = chooseSteps(recipes, values.all ? undefined : seed);

console.log(
  values.all ? 'Each step is left out in turn.' : `One step of each recipe is left out, seed ${seed}.`,
);
console.log(`Not played: ${Object.keys(NOT_PLAYED).join('; ')}.`);
if (values.list) {
  for (const { id, steps } of recipes) {
    for (const step of steps) {
      const mark = chosen.some((choice) => choice.step === step) ? '*' : ' ';
      console.log(`${mark} ${id}: ${step.name} (${step.red.join(', ')})`);
    }
  }
} else {
  process.exitCode = play() ? 0 : 1;
}

function play() {
  const { files, others } = readTree(root);
  const copy = copyProject(root, [...files.keys(), ...others]);
  const steps = recipes.flatMap((recipe) => recipe.steps);
  let passed = 0;
  let failed = 0;
  const report = (holds, text, output) => {
    if (holds) passed += 1;
    else failed += 1;
    console.log(`${holds ? 'passed' : 'FAILED'}  ${text}`);
    if (!holds) console.log(output.split('\n').slice(-60).join('\n'));
  };
  try {
    // What scripts write depends on all edits, so they run after them.
    const ordered = steps.toSorted(
      (one, other) => Number(one.script !== undefined) - Number(other.script !== undefined),
    );
    // One script writes the pages of several recipes: the first that runs it must not change what the next takes for the original.
    for (const path of steps.flatMap(({ writes = [] }) => writes)) copy.keep(path);
    for (const step of ordered) copy.apply(step);
    const written = new Map(
      steps.flatMap(({ writes = [] }) => writes.map((path) => [path, copy.read(path)])),
    );
    const whole = copy.check([...new Set(steps.flatMap(({ red }) => red))]);
    report(whole.passed, 'all steps: the tests of the recipes pass', whole.output);
    // Without that, a test that fails below proves nothing.
    if (whole.passed) {
      for (const { recipe, step } of chosen) {
        copy.restore();
        for (const other of leaveOut(step, ordered)) copy.apply(other, written);
        for (const test of step.red) {
          const { passed: isGreen, output } = copy.check([test]);
          report(!isGreen, `${recipe.id} without "${step.name}": ${test} fails`, output);
        }
      }
    }
  } finally {
    copy.remove();
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

/** The steps besides one. A script of another recipe that writes the same page would do the step for it, and is left out, too. */
function leaveOut(step, steps) {
  const isSame = (other) => (other.writes ?? []).some((path) => (step.writes ?? []).includes(path));
  return steps.filter((other) => other !== step && !isSame(other));
}

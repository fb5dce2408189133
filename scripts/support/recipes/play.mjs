// Plays recipes on copies of the project: first all steps at once, then all but one.
import { chooseSteps } from './choose-steps.mjs';

/** Two copies, because a test or the compiler alone leaves a second processor idle. */
const LANES = 2;

/**
 * Plays the recipes. `report(holds, text, output)` hears of each expectation. With a seed, it leaves out one step of each recipe.
 * Without one, it leaves out each step in turn, and all steps together must also leave green every test that they reach: a recipe that
 * forgets a file is not noticed by the tests that it names. `isWhole` does only the latter.
 * `copy` is of the unchanged project; it is removed in the end.
 */
export async function playRecipes({ recipes, seed, isWhole = false, copy, report }) {
  const copies = [copy];
  try {
    const queue = [];
    for (const group of groupRecipes(recipes)) {
      const played = await playWhole(group, copy);
      const whole = `all steps of ${group.map(({ id }) => id).join(', ')}`;
      report(played.passed, whole, played.output);
      // Without that, a test that fails below proves nothing.
      if (!played.passed) continue;
      if (isWhole || seed === undefined) {
        const { passed, hasRun, output } = await copy.checkReached();
        report(passed && hasRun, `${whole}: every test that they reach passes`, output);
      }
      if (!isWhole) queue.push(...chooseSteps(group, seed).map((choice) => ({ ...choice, ...played })));
    }
    while (copies.length < Math.min(LANES, queue.length)) copies.push(copy.duplicate());
    await Promise.all(
      copies.map(async (lane) => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift())
          await playWithout(next, lane, report);
      }),
    );
  } finally {
    for (const each of copies) each.remove();
  }
}

/** Recipes that fit together are played at once. */
function groupRecipes(recipes) {
  const together = recipes.filter(({ isApart }) => !isApart);
  const apart = recipes.filter(({ isApart }) => isApart).map((recipe) => [recipe]);
  return together.length > 0 ? [together, ...apart] : apart;
}

/** What is there before the first step. */
function prepare(group) {
  return group.map(({ given }) => given);
}

async function playWhole(group, copy) {
  const steps = group.flatMap((recipe) => recipe.steps);
  copy.restore();
  // Scripts may write more than their own step names: what comes after them must not take that for the original.
  for (const path of steps.flatMap(({ writes = [] }) => writes)) copy.keep(path);
  for (const edits of prepare(group)) copy.edit(edits);
  for (const { edits } of steps) copy.edit(edits);
  // What scripts write depends on all edits. A script that several steps name runs once. In the order of their names, the build
  // comes first, then what records, then what writes pages. A fresh clone has a build from `npm install`, which tests use.
  const scripts = ['scripts/build.mjs', ...steps.flatMap((step) => step.scripts ?? [])];
  for (const script of new Set(scripts.toSorted((one, other) => (one < other ? -1 : 1)))) {
    const { passed, output } = await copy.run(script.split(' '));
    if (!passed) return { passed, output: `${script} failed in the copy:\n${output}` };
  }
  const written = new Map(steps.flatMap(({ writes = [] }) => writes.map((path) => [path, copy.read(path)])));
  const missing = [...written.keys()].filter((path) => written.get(path) === undefined);
  if (missing.length > 0) return { passed: false, output: `No script has written ${missing.join(', ')}` };
  const tests = [...new Set(steps.flatMap(({ red }) => red))];
  const { passed, hasRun, output } = await copy.check(tests, LANES);
  return { group, steps, written, passed: passed && hasRun, output };
}

async function playWithout({ recipe, step, group, steps, written }, lane, report) {
  lane.restore();
  for (const edits of prepare(group)) lane.edit(edits);
  for (const { edits } of steps.filter((each) => each !== step)) lane.edit(edits);
  const own = new Set(step.writes);
  for (const [path, text] of written) if (!own.has(path)) lane.write(path, text);
  for (const test of step.red) {
    const { passed, hasRun, output } = await lane.check([test], 1);
    report(!passed && hasRun, `${recipe.id} without "${step.name}": ${test} fails`, output);
  }
}

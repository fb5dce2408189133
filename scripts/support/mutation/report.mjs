// The report of a run: per area how many mutants were killed, and each survivor with its reason.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMutants } from './mutants.mjs';
import { AREAS, ROOT } from './areas.mjs';

const REPORT = join(ROOT, 'test/mutation/report.md');
const RESULTS = join(ROOT, 'test/mutation/results.json');

/** Whether no test has noticed a mutant. */
export function isAlive({ outcome }) {
  return outcome === 'survived' || outcome === 'not reached';
}

/** One survivor, for the terminal. */
export function describeSurvivor({ mutant, outcome }) {
  const { file, line, name, before, after } = mutant;
  return `  ${outcome}: ${file}:${line} ${name}: ${before} => ${after || 'nothing'}\n    ${mutant.id}`;
}

/** Reasons for mutants that do not exist any more: the line was changed, so the reason is to be thought over. */
export function listStaleReasons() {
  return Object.entries(readReasons()).flatMap(([file, byId]) => {
    const ids = new Set(existsSync(join(ROOT, file)) ? listMutants(file).map(({ id }) => id) : []);
    return Object.keys(byId)
      .filter((id) => !ids.has(id))
      .map((id) => `${file}: ${id}`);
  });
}

// File -> id of a mutant -> why no test notices it.
function readReasons() {
  return JSON.parse(readFileSync(join(ROOT, 'test/mutation/reasons.json'), 'utf8'));
}

/** What is kept of an area: numbers, and who survived. After `earlier`, only its survivors were tried again. */
export function summarize({ area, generated, tried, controls, falseKills, seed, earlier }) {
  const count = (wanted) => tried.filter(({ outcome }) => outcome === wanted).length;
  const survivors = tried.filter(isAlive).map(({ mutant, outcome }) => {
    const { file, line, name, before, after, id } = mutant;
    return { file, line, name, before, after, id, isReached: outcome === 'survived' };
  });
  const numbers = {
    generated,
    tried: tried.length,
    killed: count('killed'),
    timeouts: count('timeout'),
    controls,
    falseKills,
  };
  if (!earlier) return { area, seed, ...numbers, survivors };
  // A survivor whose line is gone is no mutant any more.
  const gone = earlier.survivors.length - tried.length;
  return {
    area,
    seed: earlier.seed,
    generated,
    tried: earlier.tried - gone,
    killed: earlier.killed + numbers.killed,
    timeouts: earlier.timeouts + numbers.timeouts,
    controls: earlier.controls + controls,
    falseKills: earlier.falseKills + falseKills,
    survivors,
  };
}

/** What is kept of all areas that were tried. */
export function readResults() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : [];
}

/** Puts the areas that were tried in their place among the results, and writes the report of all of them. */
export function writeReport(summaries) {
  const known = readResults();
  const all = Object.keys(AREAS).flatMap(
    (area) => [...summaries, ...known].find((summary) => summary.area === area) ?? [],
  );
  writeFileSync(RESULTS, `${JSON.stringify(all, undefined, 2)}\n`);
  writeFileSync(REPORT, renderReport(all));
}

function renderReport(summaries) {
  const reasons = readReasons();
  const rows = summaries.map(({ area, seed, generated, tried, killed, timeouts, controls, falseKills }) => {
    const dead = killed + timeouts;
    const share = ((100 * dead) / tried).toFixed(1);
    return `| ${area} | ${generated} | ${tried} (seed ${seed}) | ${killed} | ${timeouts} | ${tried - dead} | ${share} % | ${falseKills} of ${controls} |`;
  });
  const sections = summaries.map(({ area, survivors }) => {
    const items = survivors.map(({ file, line, name, before, after, id, isReached }) => {
      const gap = isReached ? '**a gap in the tests of the area**' : '**no test of the area runs it**';
      return `- \`${file}:${line}\` ${name}: ${quote(before)} to ${quote(after || 'nothing')}: ${reasons[file]?.[id] ?? gap}`;
    });
    return `## ${area}\n\n${items.length > 0 ? items.join('\n') : 'No survivors.'}\n`;
  });
  return `${HEAD}
| Area | Mutants | Tried | Killed | Timed out | Survived | Killed in all | Failed without a mutant |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${sections.join('\n')}`;
}

const HEAD = `# Mutation report

Written by \`node scripts/run-mutation.mjs\`: the areas that carry safety are changed in small ways, one at a time, and each
time those of the area's tests are run that run the changed statement (\`AREAS\` in \`scripts/support/mutation/areas.mjs\`
names them; the end-to-end tests never, and none that needs a database). A mutant that makes one of them fail, or hang, is
killed. Messages for people are not changed. Of the mutants of an area, as many as "Tried" says were drawn with the seed; an area
may be changed since. What survived was tried again once tests were added (\`--again\`). The reasons of the survivors are in
\`reasons.json\`; one without is a gap that is known and open.
A control is a run of the same tests without a mutant: one that fails would have counted as a kill.
`;

function quote(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

// The report of a run: per room how many mutants were killed, and each survivor with its reason.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMutants } from './mutants.mjs';
import { ROOT } from './rooms.mjs';

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

/** The report, in Markdown. */
export function renderReport(results, { seed, isAll }) {
  const reasons = readReasons();
  const rows = results.map(({ room, generated, tried, controls, falseKills }) => {
    const count = (...outcomes) => tried.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const dead = count('killed', 'timeout');
    const share = ((100 * dead) / tried.length).toFixed(1);
    return `| ${room} | ${generated} | ${tried.length} | ${count('killed')} | ${count('timeout')} | ${tried.length - dead} | ${share} % | ${falseKills} of ${controls} |`;
  });
  const sections = results.map(({ room, tried }) => {
    const alive = tried.filter(isAlive);
    const items = alive.map(({ mutant, outcome }) => {
      const { file, line, name, before, after, id } = mutant;
      const reason = reasons[file]?.[id] ?? '**no reason yet: a gap in the tests**';
      const reached = outcome === 'not reached' ? ' (no unit test runs it)' : '';
      return `- \`${file}:${line}\` ${name}: ${quote(before)} to ${quote(after || 'nothing')}${reached}. ${reason}`;
    });
    return `## ${room}\n\n${items.length > 0 ? items.join('\n') : 'No survivors.'}\n`;
  });
  return `${HEAD}
Seed ${seed}${isAll ? ', all mutants' : ''}.

| Room | Mutants | Tried | Killed | Timed out | Survived | Killed in all | Failed without a mutant |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${sections.join('\n')}`;
}

const HEAD = `# Mutation report

Written by \`node scripts/run-mutation.mjs\`: the rooms that carry safety are changed in small ways, one at a time, and each
time those of the room's tests are run that run the changed statement (\`ROOMS\` in \`scripts/support/mutation/rooms.mjs\`
names them; the end-to-end tests never). A mutant that makes one of them fail, or hang, is killed. Messages for people are not
changed. The reasons of the survivors are in \`reasons.json\`.
`;

function quote(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

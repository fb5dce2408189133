// Which stages of .ci/stages a run of .ci/run is about: those named, in the order of the file, or all. Prints one name per line.
//   node .ci/choose-stages.mjs [<stage>...]
//     --list   prints every name with its title instead
//     --help   prints how to call it
import { readFileSync } from 'node:fs';

const LINE = /^\S+ +\d+ +(?<name>[\w-]+) +"(?<title>[^"]+)" /;
const stages = readFileSync(new URL('stages', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const groups = LINE.exec(line)?.groups;
    if (groups === undefined) throw new Error(`.ci/stages has a line that is no stage: ${line}`);
    return groups;
  });

const names = stages.map(({ name }) => name);
const words = process.argv.slice(2);
const unknown = words.filter((word) => !names.includes(word));
const USAGE = 'Usage: .ci/run [<stage>...], or .ci/run --list for the names of all stages.';
if (words.length === 1 && words[0] === '--help') {
  print(USAGE);
} else if (words.includes('--list')) {
  if (words.length > 1) fail('--list stands alone: it prints every stage.');
  else for (const { name, title } of stages) print(`${name.padEnd(12)} ${title}`);
} else if (unknown.length > 0) {
  fail(unknown.map(explain).join('\n'));
} else {
  const chosen = words.length === 0 ? names : names.filter((name) => words.includes(name));
  for (const name of chosen) print(name);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n${USAGE}\n`);
  process.exitCode = 2;
}

function explain(word) {
  if (word.startsWith('-')) return `There is no option "${word}".`;
  return `There is no stage "${word}". The nearest names: ${listNearest(word).join(', ')}.`;
}

/** The names that were probably meant, the most probable first. A stage that has the word in its title is nearer than any typing error. */
function listNearest(word) {
  const wanted = word.toLowerCase();
  const distanceTo = ({ name, title }) =>
    `${name} ${title.toLowerCase()}`.includes(wanted) ? 0 : countEdits(wanted, name);
  return stages
    .toSorted((one, other) => distanceTo(one) - distanceTo(other))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How many characters one must insert, delete or replace to get from one word to the other. */
function countEdits(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = row[column - 1] + (character === to[column - 1] ? 0 : 1);
      next.push(Math.min(row[column] + 1, next[column - 1] + 1, replaced));
    }
    row = next;
  }
  return row[to.length];
}

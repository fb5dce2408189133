// Counts the lines of code under src, without comments and blank lines: in all, by folder, and the files that stand out.
// Usage: node scripts/count-lines.mjs [folder]
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONGEST = 300;
const SHORTEST = 15;

const folder = process.argv[2] ?? fileURLToPath(new URL('../packages', import.meta.url));

/** Lines that hold more than blanks and comments; a comment marker inside a string or template does not count as one. */
function countCode(text) {
  const withoutComments = text.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (match, literal) => literal ?? match.replaceAll(/[^\n]/g, ''),
  );
  return withoutComments.split('\n').filter((line) => line.trim() !== '').length;
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.[cm]?tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const name = relative('.', path).split(sep).join('/');
    return {
      name,
      folder: name.split('/').slice(0, -1).slice(0, 2).join('/') || '.',
      lines: text.split('\n').length - 1,
      code: countCode(text),
    };
  });

const sum = (list) => list.reduce((total, { code }) => total + code, 0);
const lengths = files.map(({ lines }) => lines).toSorted((a, b) => a - b);
const folders = groupByFolder();

for (const [name, list] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `${name.padEnd(22)} ${String(list.length).padStart(4)} files ${String(sum(list)).padStart(7)} lines of code`,
  );
console.log(
  `\n${files.length} files, ${sum(files)} lines of code, median ${lengths[Math.floor(lengths.length / 2)]} lines a file`,
);
for (const { name, lines } of files.filter(({ lines }) => lines > LONGEST))
  console.log(`long:  ${lines} ${name}`);
for (const { name, lines } of files.filter(({ lines }) => lines < SHORTEST))
  console.log(`short: ${lines} ${name}`);

// Node 20 has no Map.groupBy.
function groupByFolder() {
  const grouped = new Map();
  for (const file of files) grouped.set(file.folder, [...(grouped.get(file.folder) ?? []), file]);
  return grouped;
}

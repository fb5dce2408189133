// Which files a change can reach: those that import a changed file, directly or through others, and those that name it as text,
// such as a test that reads a page. Works on a map from path to text, so that it can be tested itself.
import { posix } from 'node:path';

// A comment is left out only where it begins a line: a glob in a string looks like one elsewhere.
const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
// Types are erased before a test runs, so a test cannot notice a change of them. The compiler does.
const TYPES_ALONE = /^(?:import|export)\s+type\s[^;]*?from\s*(['"])[^'"]+\1;?/gm;
const STRING = /(['"`])([^'"`\s]+)\1/g;
/** A source named from the root. Imports do not name it so. */
const SOURCE = /^packages\/[^/]+\/src\//;
const CODE = /\.(?:[cm]?[jt]s|tsx)$/;
/** A test that calls one of these reads or builds all sources of all packages, without an import. */
const READS_ALL_SOURCES = /(?<!function )\b(?:readSourceFiles|buildDist)\(/;
/** By path, what a file only hands on: a change of that cannot break those who use the file. */
const HANDED_ON = new Map([
  // The entry points, by name, for the bundler. Tests that build them call `buildDist`.
  ['rolldown.config.mjs', /^packages\//],
  // The entry points, loaded for the tools file of a program. Tests of an entry point import it themselves.
  ['packages/cli/src/tools-file/jiti.ts', /^@inboard\/inboard\//],
]);

/**
 * Every file that a change of `changed` can reach, the changed ones included.
 * `files` has the text of every file of code by its path from the root; `others` are the paths of all further files.
 */
export function findReached({ files, others = [], changed: given }) {
  const changed = [...new Set([...given, ...given.flatMap(overviewOf)])];
  const { usersOf, textReadersOf } = findLinks(files, [...others, ...changed]);
  const readers = [...files].filter(([, text]) => READS_ALL_SOURCES.test(text)).map(([path]) => path);
  const reached = new Set();
  const waiting = [...changed, ...changed.flatMap((path) => [...(textReadersOf.get(path) ?? [])])];
  if (changed.some((path) => SOURCE.test(path))) waiting.push(...readers);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(usersOf.get(path) ?? []));
  }
  return reached;
}

/** A test reads the parts of a page by the name of the page. */
function overviewOf(path) {
  return /^docs\/[^/]+\/[^/]+\.md$/.test(path) ? [`${posix.dirname(path)}.md`] : [];
}

/** Whether a path is that of a file with imports. */
export function isCode(path) {
  return CODE.test(path);
}

/** By path, the files that import the file or name it; but not those that only read the text of a source. */
export function findUsers(files, others = []) {
  return findLinks(files, others).usersOf;
}

/** Who reads a source as text notices a change of that file, but not of what it imports. Other files that are named may be run. */
function findLinks(files, others) {
  const known = new Set([...files.keys(), ...others]);
  const [usersOf, textReadersOf] = [new Map(), new Map()];
  for (const [path, text] of files) {
    const code = text.replaceAll(COMMENT, '').replaceAll(TYPES_ALONE, '');
    for (const [, , word] of code.matchAll(STRING)) {
      if (HANDED_ON.get(path)?.test(word)) continue;
      const links = SOURCE.test(word) ? textReadersOf : usersOf;
      for (const target of resolveWord(path, word)) {
        // A test that another one names, in a list for example, does not become a part of it.
        if (!known.has(target) || target === path || target.endsWith('.test.ts')) continue;
        if (!links.has(target)) links.set(target, new Set());
        links.get(target).add(path);
      }
    }
  }
  return { usersOf, textReadersOf };
}

/** The paths that a string may mean: an import of another package, a file beside this one, or one named from the root. */
function resolveWord(from, word) {
  const own = /^@inboard\/([^/]+)\/(.+)$/.exec(word);
  if (own) return sourcesOf(`packages/${own[1]}/src/${own[2]}`);
  const beside = posix.join(posix.dirname(from), word);
  return word.startsWith('.') ? sourcesOf(beside) : [beside, word];
}

/** A compiled name in an import stands for its source. */
function sourcesOf(path) {
  return path.endsWith('.js') ? [path, path.replace(/js$/, 'ts'), path.replace(/js$/, 'tsx')] : [path];
}

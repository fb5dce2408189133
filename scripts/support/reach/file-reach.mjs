// Which files a change can reach: those that import a changed file, directly or through others, and those that name it as text,
// such as a test that reads a page. Works on a map from path to text, so that it can be tested itself.
import { posix } from 'node:path';

// A comment is left out only where it begins a line: a glob in a string looks like one elsewhere.
const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
// Types are erased before a test runs, so a test cannot notice a change of them. The compiler does.
const TYPES_ALONE = /^(?:import|export)\s+type\s[^;]*?from\s*(['"])[^'"]+\1;?/gm;
const STRING = /(['"`])([^'"`\s]+)\1/g;
const CODE = /\.(?:[cm]?[jt]s|tsx)$/;
/** A test that calls this reads all sources of all packages, without an import. */
const READS_ALL_SOURCES = /(?<!function )\breadSourceFiles\(/;

/**
 * Every file that a change of `changed` can reach, the changed ones included.
 * `files` has the text of every file of code by its path from the root; `others` are the paths of all further files.
 */
export function findReached({ files, others = [], changed }) {
  const usersOf = findUsers(files, [...others, ...changed]);
  const readers = [...files].filter(([, text]) => READS_ALL_SOURCES.test(text)).map(([path]) => path);
  const reached = new Set();
  const waiting = [...changed];
  if (changed.some((path) => /^packages\/[^/]+\/src\//.test(path))) waiting.push(...readers);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(usersOf.get(path) ?? []));
  }
  return reached;
}

/** Whether a path is that of a file with imports. */
export function isCode(path) {
  return CODE.test(path);
}

/** By path, the files that import the file or name it. */
export function findUsers(files, others = []) {
  const known = new Set([...files.keys(), ...others]);
  const usersOf = new Map();
  for (const [path, text] of files) {
    const code = text.replaceAll(COMMENT, '').replaceAll(TYPES_ALONE, '');
    for (const [, , word] of code.matchAll(STRING)) {
      for (const target of resolveWord(path, word)) {
        // A test that another one names, in a list for example, does not become a part of it.
        if (!known.has(target) || target === path || target.endsWith('.test.ts')) continue;
        if (!usersOf.has(target)) usersOf.set(target, new Set());
        usersOf.get(target).add(path);
      }
    }
  }
  return usersOf;
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

// Finds the sentences of the README and of docs/ that promise something, by their words. Code, links and generated tables are left out.
import { listPages, type Page } from '../package/documented-pages.js';
import { readProjectFile } from '../package/project.js';

/** A sentence with a word that promises, and the page it stands on. */
export interface Promised {
  page: string;
  sentence: string;
}

/** Words by which a page promises. A word inside code is a name and promises nothing. */
const WORDS =
  /\b(?:exactly (?:once|one)|only once|at most|never|always|survives?|survived|bounded|no matter|nothing is lost|whichever|whatever|all)\b/i;

/** Fewer words than these are a cell of a table, such as a default, and no sentence. */
const FEWEST_WORDS = 4;

/** The first version that has something, in the tables of options: "all" is 2.1.33 and later. */
const VERSIONS = /^all(?:; .*\d)?$/;

/** Pages that make no promises to users: what others did, how the project works, and tables that scripts write. */
const OTHER_PAGES = /^(?:docs\/architecture|docs\/surface\.md|docs\/comparison\.md)/;

/** The pages that are read for promises: the README, the page on security reports, and everything in docs/ for users. */
function listPromisingPages(): Page[] {
  return listPages().filter(
    ({ path }) => /^(?:README|SECURITY)\.md$|^docs\//.test(path) && !OTHER_PAGES.test(path),
  );
}

/** The test that holds a promise, as tables of pages name it. */
const HOLDER = /^`[\w./-]+\.test\.ts`: /;

/** All sentences that promise something, in the order of their pages. */
export function findPromises(): Promised[] {
  return listPromisingPages().flatMap(({ path }) =>
    findIn(readProjectFile(path)).map((sentence) => ({ page: path, sentence })),
  );
}

/** The sentences of one page that promise something, each once. */
export function findIn(page: string): string[] {
  const found = splitSentences(page).filter(
    (sentence) =>
      WORDS.test(sentence.replace(/`[^`]*`/g, '``')) &&
      sentence.split(' ').length >= FEWEST_WORDS &&
      !VERSIONS.test(sentence) &&
      !HOLDER.test(sentence),
  );
  return [...new Set(found)];
}

/** A page as sentences: of paragraphs, of items of lists, and of cells of tables. */
function splitSentences(page: string): string[] {
  return page
    .replace(/^(\s*)(`{3,}|~{3,}).*\n[\s\S]*?^\1\2`*$/gm, '')
    .replace(/<!-- [\w ]+: written by [\s\S]*?<!-- end of [\w ]+ -->/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)/)
    .flatMap((block) => (block.trimStart().startsWith('|') ? block.split(/\n/).flatMap(splitRow) : [block]))
    .flatMap((block) => readText(block).split(/(?<=[.!?]["”)*_]*)\s+(?=["“(*_`[]*[A-Z`])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function splitRow(row: string): string[] {
  return row.split(/(?<!\\)\|/);
}

/** The text that a reader sees: links by their text, without marks of lists, headings and emphasis. */
function readText(block: string): string {
  return block
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replace(/^\s*(?:[-*]|\d+\.|#+|>)\s+/gm, '')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ');
}

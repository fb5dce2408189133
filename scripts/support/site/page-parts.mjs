// A long page is cut into parts: docs/tools.md is the overview of the files in docs/tools/. The overview says in which order they are read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listHeadings, listLinks } from './markdown.mjs';

/** A line of a list or a table that begins with a link. */
const ENTRY = /^(?:-|\|) \[/;

/**
 * The parts of a page, by their paths from the root, in the order of the list or the table of links on it.
 * @param {string} root
 * @param {string} file
 * @returns {string[]}
 */
export function listParts(root, file) {
  const folder = file.replace(/\.md$/, '');
  const there = existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`)
    : [];
  if (there.length === 0) return [];
  const text = readFileSync(join(root, file), 'utf8');
  const readTargets = (part) =>
    listLinks(part).map(({ target }) => posix.join(posix.dirname(file), target.replace(/#.*/, '')));
  const linked = readTargets(text);
  const lost = there.filter((part) => !linked.includes(part));
  if (lost.length > 0) throw new Error(`${file} does not link to ${lost.join(', ')}`);
  // A part that only the text names comes first.
  const listed = text.split('\n').flatMap((line) => (ENTRY.test(line) ? readTargets(line).slice(0, 1) : []));
  return there.toSorted((one, other) => listed.indexOf(one) - listed.indexOf(other));
}

/**
 * The last line of a part: where reading goes on, and where all parts are listed.
 * @param {{ overview: { file: string, title: string }, next?: { file: string, title: string } }} places
 * @returns {string}
 */
export function closePart({ overview, next }) {
  const link = ({ file, title }, from = '') => `[${title}](${from}${posix.basename(file)})`;
  return [
    ...(next === undefined ? [] : [`Next: ${link(next)}.`]),
    `Overview: ${link(overview, '../')}.`,
  ].join(' ');
}

/**
 * The title of a page as it is written, with its markup.
 * @param {string} text
 * @returns {string}
 */
export function readTitle(text) {
  return /^# (.+)$/m.exec(text)?.[1] ?? listHeadings(text)[0]?.title ?? '';
}

// A long page is cut into parts: docs/tools.md is the overview of the files in docs/tools/. The overview says in which order they are read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listHeadings, listLinks } from './markdown.mjs';

/**
 * The parts of a page, by their paths from the root, in the order in which the page links to them.
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
  const linked = listLinks(readFileSync(join(root, file), 'utf8')).map(({ target }) =>
    posix.join(posix.dirname(file), target.replace(/#.*/, '')),
  );
  const place = (part) => linked.indexOf(part);
  const lost = there.filter((part) => place(part) < 0);
  if (lost.length > 0) throw new Error(`${file} does not link to ${lost.join(', ')}`);
  return there.toSorted((one, other) => place(one) - place(other));
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

// Cuts a page that is made from the sources into an overview and its parts, and leads its links to where their targets are now.
import { posix } from 'node:path';
import { blankCode, listHeadings, listLinks } from '../site/markdown.mjs';
import { closePart, readTitle } from '../site/page-parts.mjs';

/** Where the list of parts goes on the overview. */
export const PARTS_HERE = '<!-- parts -->';

/** What says that a page is not to be edited; every part says so, too. */
const MADE_BY = /^<!-- Made by .*-->$/m;

/**
 * The overview and its parts, by their paths. `text` is the whole page, whose sections begin with `## `. A part of one section has its heading as
 * title; one of several has a `title`. `says` is what the overview says of it. Sections that no part names stay on the overview.
 */
export function cutPage({ file, text, parts }) {
  const { opening, sections } = readSections(text);
  const origin = MADE_BY.exec(text)?.[0];
  const places = new Map();
  const made = parts.map((part) => {
    const path = `${file.replace(/\.md$/, '')}/${part.name}.md`;
    const texts = part.sections.map((title) => {
      if (!sections.has(title))
        throw new Error(`${file} has no section "${title}", which ${path} is to have`);
      return sections.get(title);
    });
    for (const title of part.sections) sections.delete(title);
    const body = composePart(part, texts);
    for (const { anchor } of listHeadings(texts.join('\n'))) places.set(anchor, path);
    return { path, body, title: readTitle(body), says: part.says };
  });
  const list = made
    .map(({ path, title, says }) => `- [${title}](${fromPage(file, path)}): ${says}`)
    .join('\n');
  const overview = { file, title: readTitle(text) };
  const files = made.map(({ path, body }, index) => {
    const after = made[index + 1];
    const next = after && { file: after.path, title: after.title };
    const whole = origin === undefined ? body : body.replace('\n\n', `\n\n${origin}\n\n`);
    return [path, `${leadLinks(whole, file, path, places)}\n\n${closePart({ overview, next })}\n`];
  });
  const kept = [opening, ...sections.values()].join('\n\n').replace(PARTS_HERE, list);
  return { [file]: `${leadLinks(kept, file, file, places)}\n`, ...Object.fromEntries(files) };
}

function readSections(text) {
  const prose = blankCode(text).split('\n');
  const lines = text.split('\n');
  const starts = prose.flatMap((line, index) => (line.startsWith('## ') ? [index] : []));
  const cut = (from, to) => lines.slice(from, to).join('\n').trim();
  return {
    opening: cut(0, starts[0]),
    sections: new Map(
      starts.map((start, index) => [lines[start].slice('## '.length), cut(start, starts[index + 1])]),
    ),
  };
}

function composePart({ title, intro }, texts) {
  if (title === undefined) {
    const [heading, ...rest] = texts[0].split('\n');
    return [raise(heading), ...(intro ? ['', intro] : []), raise(rest.join('\n'))].join('\n');
  }
  return [`# ${title}`, ...(intro ? [intro] : []), ...texts].join('\n\n');
}

function raise(text) {
  const prose = blankCode(text).split('\n');
  return text
    .split('\n')
    .map((line, index) => (prose[index].startsWith('##') ? line.slice(1) : line))
    .join('\n');
}

/** The text of `from`, with links as they are written on `to`. */
function leadLinks(text, from, to, places) {
  let result = '';
  let last = 0;
  for (const { target, start, end } of listLinks(text)) {
    if (/^[a-z][a-z+.-]*:/i.test(target)) continue;
    const [name, anchor] = target.split('#');
    const whole = name === '' ? from : posix.join(posix.dirname(from), name);
    const path = (whole === from && places.get(anchor)) || whole;
    const hash = anchor === undefined ? '' : `#${anchor}`;
    result += text.slice(last, start) + (path === to ? hash : fromPage(to, path) + hash);
    last = end;
  }
  return result + text.slice(last);
}

function fromPage(page, path) {
  return posix.relative(posix.dirname(page), path);
}

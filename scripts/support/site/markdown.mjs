// What is read from Markdown without a parser: headings, anchors and links, none of them inside code. The site gives its
// headings the same anchors as code hosts do, so that one link works in both places.
const FENCE = /^( {0,3}|[ \t]*(?:[-*+]|\d+[.)])[ \t]+|[ \t]+)(`{3,}|~{3,})/;
const LINKS = [
  // [text](target "title"), and ![alt](target)
  /\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"]*")?\s*\)/g,
  // [name]: target
  /^ {0,3}\[[^\]]+\]:\s*<?([^\s<>]+)>?/gm,
  // <a href="target">, <img src="target">, <source srcset="target">
  /<(?:a|img|source)\b[^>]*?\s(?:href|src|srcset)="([^"]*)"/g,
];

/** The text with every character of code blocks, code spans and comments blank, so that places stay where they were. */
export function blankCode(text) {
  let fence;
  const lines = text.split('\n').map((line) => {
    const found = FENCE.exec(line)?.[2];
    if (fence === undefined) {
      if (found === undefined) return line;
      fence = found;
      return blank(line);
    }
    if (found !== undefined && found.startsWith(fence) && line.trim() === found) fence = undefined;
    return blank(line);
  });
  return lines
    .join('\n')
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .replaceAll(/(?<!`)(`+)(?!`)[^`]+?(?<!`)\1(?!`)/g, blank);
}

/** Every link of a page: what it leads to, and where that is written. */
export function listLinks(text) {
  const prose = blankCode(text);
  return LINKS.flatMap((pattern) =>
    Array.from(prose.matchAll(pattern), (match) => {
      const start = match.index + match[0].lastIndexOf(match[1]);
      return { target: match[1], start, end: start + match[1].length, line: lineOf(text, start) };
    }),
  )
    .filter(({ target }) => target !== '')
    .sort((one, other) => one.start - other.start);
}

/**
 * Every heading: its level, its text without markup, and its anchor.
 * @param {string} text
 * @returns {{ level: number, title: string, anchor: string }[]}
 */
export function listHeadings(text) {
  const seen = new Map();
  const prose = blankCode(text).split('\n');
  return text.split('\n').flatMap((line, index) => {
    // Inside a code block the line is blank; code in a heading is wanted.
    const match = /^ {0,3}(#{1,6})\s+(.+?)(?:\s+#+)?\s*$/.exec(line);
    if (match === null || !/^ {0,3}#/.test(prose[index])) return [];
    const title = plainText(match[2]);
    return [{ level: match[1].length, title, anchor: nextAnchor(seen, title) }];
  });
}

/** The anchors that links to a page may name: those of its headings, and ids written by hand. */
export function listAnchors(text) {
  const ids = Array.from(blankCode(text).matchAll(/<[a-z]+\b[^>]*?\sid="([^"]+)"/g), ([, id]) => id);
  return new Set([...listHeadings(text).map(({ anchor }) => anchor), ...ids]);
}

/** A heading as links name it: lower case, hyphens for spaces, no other punctuation. */
export function slugify(title) {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replaceAll(/\s/g, '-');
}

// Markdown as it reads: links as their text, no markup.
function plainText(markdown) {
  return markdown
    .replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[a-z][^>`]*>/g, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\*\*?|`/g, '')
    .trim();
}

/** The first paragraph of a page: what it is for. */
export function firstParagraph(text) {
  const prose = text.replaceAll(/<!--[\s\S]*?-->/g, '').split(/\n{2,}/);
  const paragraph = prose.map((part) => part.trim()).find((part) => /^[\p{L}\p{N}`*[_]/u.test(part));
  return plainText((paragraph ?? '').replaceAll(/\s+/g, ' '));
}

function nextAnchor(seen, title) {
  const anchor = slugify(title);
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

function blank(text) {
  return text.replaceAll(/[^\n]/g, ' ');
}

function lineOf(text, place) {
  return text.slice(0, place).split('\n').length;
}

// Prepares foreign text that a person decides about. No part of it may be invisible, look like something else, or push
// other text out of sight. Characters that could do so are escaped, as in `\u0430`.
import { escapeCharacter } from '@inboard/core/util/terminal-text.js';

// Characters that have no shape of their own: control and format characters, spaces other than U+0020, private and
// unassigned ones, lone surrogates, and those that fonts do not draw.
const FACELESS = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
/** More marks on one letter than any language writes. They would be drawn over the lines above and below. */
const PILED_MARKS = /(?<=\p{M}{3})\p{M}/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const BEYOND_ASCII = /[^\u0020-\u007e]/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/gu;
/** Scripts with letters like Latin ones. */
const LIKE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/gu;
/** Letters of these scripts that look like no Latin letter. They show a reader at once that a word is not Latin. */
const UNLIKE_LATIN =
  /[БГДЖИЙЛПФЦЧШЩЪЫЭЮЯЄЇбвгджзийлмнптфцчшщъыэюяёєїґќћђΓΔΘΛΞΠΣΦΨΩβγδεζηθλμξπςστφχψωάέήίόύώ\u0531-\u053b\u053d-\u054c\u054e-\u0554\u0556\u0561-\u056b\u056d-\u056f\u0571-\u0577\u0579-\u057c\u057e-\u0581\u0583\u0584\u0586]/u;
/** Characters that look like a slash, a backslash, a bar or a colon in an address or a path. */
const LIKE_PUNCTUATION = /[\u01c0\u02d0\u0589\u05c3\u2044\u2215\u2216\u2223\u2236\u29f5\u29f8\u29f9\ua789]/gu;

/** Gaps that could push the text after them out of sight. Ordinary indents are shorter. */
const MANY_SPACES = / {17,}/g;
const EMPTY_LINES = /\n{4,}/g;

/**
 * Makes a text safe to read. Line feeds stay, long gaps are replaced by their length, and misleading characters are
 * escaped.
 */
export function revealText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(revealLine)
    .join('\n')
    .replace(EMPTY_LINES, (gap) => `\n‹${gap.length - 1} empty lines›\n`)
    .replace(MANY_SPACES, (gap) => `‹${gap.length} spaces›`);
}

function revealLine(line: string): string {
  const faced = line
    .replaceAll('\t', '\\t')
    .replace(FACELESS, (found) => (found === ' ' ? ' ' : escapeCharacter(found)));
  if (faced.search(BEYOND_ASCII) < 0) return faced;
  // Between letters that run right to left, a terminal may show Latin letters in another order.
  const isMixed = /[A-Za-z]/.test(faced);
  return faced
    .replace(PILED_MARKS, escapeCharacter)
    .replace(LIKE_PUNCTUATION, escapeCharacter)
    .replace(BEYOND_ASCII, (found) =>
      found !== '…' && isAscii(found.normalize('NFKC')) ? escapeCharacter(found) : found,
    )
    .replace(RIGHT_TO_LEFT, (found) => (isMixed ? escapeCharacter(found) : found))
    .replace(WORD, revealWord);
}

// A word of another script stays as it is if a reader can see that it is not Latin.
function revealWord(word: string): string {
  const canPass = /[A-Za-z]/.test(word) || !UNLIKE_LATIN.test(word);
  return canPass ? word.replace(LIKE_LATIN, escapeCharacter) : word;
}

function isAscii(text: string): boolean {
  return text.search(BEYOND_ASCII) < 0;
}

/**
 * Breaks a text into rows of at most `columns` columns, after a space if there is one. A character beyond ASCII counts as
 * two columns, so that no terminal wraps a row itself.
 */
export function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const width = widthOf(character);
    if (used + width > columns) {
      // A word is not cut, because its parts could look harmless. A word that fills half a row has to be cut.
      const end = row.lastIndexOf(' ') + 1;
      const cut = end > row.length / 2 ? end : row.length;
      rows.push(row.slice(0, cut));
      row = row.slice(cut);
      used = 0;
      for (const kept of row) used += widthOf(kept);
    }
    row += character;
    used += width;
  }
  return [...rows, row];
}

/** How many columns a character takes at most. */
export function widthOf(character: string): number {
  return character <= '\u007e' ? 1 : 2;
}

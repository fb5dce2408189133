// Finds the differences between two texts, word by word. The effort is bounded: for very long texts, only their common
// beginning and end are found.
import { alignTokens } from './align.js';

/** A stretch of both texts, or of one. */
export interface DiffPart {
  in: 'both' | 'left' | 'right';
  text: string;
}

const MOST_WORDS = 1500;

/** Both texts merged: the parts they share, and the parts that only one has. */
export function diffText(left: string, right: string): DiffPart[] {
  const [words, others] = [splitIntoWords(left), splitIntoWords(right)];
  if (words.length > MOST_WORDS || others.length > MOST_WORDS) return diffEnds(words, others);
  const token = (word: string) => ({ exact: word, loose: word });
  const parts: DiffPart[] = [];
  for (const pair of alignTokens(words.map(token), others.map(token))) {
    if (pair.left === undefined) add(parts, 'right', others[pair.right as number] as string);
    else add(parts, pair.right === undefined ? 'left' : 'both', words[pair.left] as string);
  }
  return parts;
}

/** The words, each with the white space after it. White space at the beginning stands alone. */
function splitIntoWords(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function diffEnds(words: readonly string[], others: readonly string[]): DiffPart[] {
  const most = Math.min(words.length, others.length);
  let from = 0;
  while (from < most && words[from] === others[from]) from += 1;
  let tail = 0;
  while (tail < most - from && words.at(-1 - tail) === others.at(-1 - tail)) tail += 1;
  const parts: DiffPart[] = [
    { in: 'both', text: words.slice(0, from).join('') },
    { in: 'left', text: words.slice(from, words.length - tail).join('') },
    { in: 'right', text: others.slice(from, others.length - tail).join('') },
    { in: 'both', text: words.slice(words.length - tail).join('') },
  ];
  return parts.filter(({ text }) => text !== '');
}

function add(parts: DiffPart[], where: DiffPart['in'], text: string): void {
  const last = parts.at(-1);
  if (last?.in === where) last.text += text;
  else parts.push({ in: where, text });
}

// Breaks text between words, so that a terminal does not break it inside a word.
import { widthOf } from './reveal-text.js';
import type { Terminal } from './terminal.js';

/** The columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80;

/** How many columns a line may have. There is no limit in a pipe or a file, where another program reads the lines. */
export function lineWidthOf(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout'): number {
  const { isTTY, columns } = terminal[stream];
  return isTTY === true ? columns || USUAL_COLUMNS : Infinity;
}

/** Where a wrapped text stands in its lines. */
export interface WrapPlace {
  /** How many columns a line may have. */
  columns: number;
  /** What the second line and all further ones begin with. */
  indent?: string;
  /** How many columns of the first line are already taken. Default: as many as the indent has. */
  used?: number;
}

/**
 * Wraps a text. Its own line breaks stay. A word that is longer than a line is not cut, because a path or a command must
 * stay whole to be copied.
 */
export function wrapWords(text: string, { columns, indent = '', used = indent.length }: WrapPlace): string {
  const wrapLine = (line: string, start: number): string => {
    const [first = '', ...words] = line.split(' ');
    const begins = start <= indent.length || start + lengthOf(first) <= columns;
    let column = (begins ? start : indent.length) + lengthOf(first);
    return words.reduce(
      (lines, word) => {
        const length = lengthOf(word);
        const fits = column + 1 + length <= columns;
        column = (fits ? column + 1 : indent.length) + length;
        return `${lines}${fits ? ' ' : `\n${indent}`}${word}`;
      },
      begins ? first : `\n${indent}${first}`,
    );
  };
  return text
    .split('\n')
    .map((line, at) => wrapLine(line, at === 0 ? used : indent.length))
    .join(`\n${indent}`);
}

function lengthOf(word: string): number {
  let length = 0;
  for (const character of word) length += widthOf(character);
  return length;
}

// Tables for a terminal of 80 columns, or of more where it has them: what is foreign in a cell is made harmless, and what is too
// long is cut, unless somebody needs it whole.
import { revealText, wrapText } from '../terminal/reveal-text.js';
import { createStyler, printLine, type Terminal } from '../terminal/terminal.js';
import { StyledText, type Style, type TerminalText } from '../terminal/styled-text.js';

const LEAST_COLUMNS = 79;
const MOST_COLUMNS = 199;
/** Of a column whose cells stay whole: a few that are longer do not push the others apart. */
const MOST_OF_WHOLE = 48;
const GAP = '  ';

/** A column: its name, how wide it may be, and on which side its cells stand. */
export interface Column {
  name: string;
  /** The widest it gets; the one without a bound takes what is left. */
  most?: number;
  isNumber?: boolean;
  /** Its cells are typed again, into another command: one that is too long gets a line of its own. */
  isWhole?: boolean;
}

/** A cell: foreign text, or with a colour of ours. */
export type Cell = string | { text: string; style: Style };

/** A foreign text as one harmless line of at most so many columns. */
export function showText(text: string, columns: number): string {
  const line = revealText(text.replaceAll(/\s+/g, ' ').trim());
  const [first = '', ...rest] = wrapText(line, columns);
  if (rest.length === 0) return first;
  return `${(wrapText(line, columns - 1)[0] ?? '').trimEnd()}…`;
}

/** Prints rows under the names of their columns. */
export function printTable(terminal: Terminal, columns: readonly Column[], rows: readonly Cell[][]): void {
  const style = createStyler(terminal);
  const widths = measure(columns, rows, columnsOf(terminal));
  const print = (cells: readonly Cell[], look: Style | undefined): void => {
    const parts = columns.flatMap(({ isNumber = false }, at): TerminalText[] => {
      const cell = cells[at] ?? '';
      const width = widths[at] ?? 0;
      const text = showText(textOf(cell), width);
      const space = ' '.repeat(Math.max(0, width - widthOf(text)));
      const wanted = look ?? (typeof cell === 'string' ? undefined : cell.style);
      const shown = wanted === undefined ? text : style(wanted, text);
      const isLast = at === columns.length - 1;
      return [...(at > 0 ? [GAP] : []), ...(isNumber ? [space, shown] : isLast ? [shown] : [shown, space])];
    });
    printLine(terminal, StyledText.join(parts));
  };
  print(
    columns.map(({ name }) => name),
    'dim',
  );
  const whole = columns.findIndex(({ isWhole }) => isWhole === true);
  for (const row of rows) {
    const text = showText(textOf(row[whole] ?? ''), Infinity);
    const isTooLong = widthOf(text) > (widths[whole] ?? Infinity);
    if (isTooLong) printLine(terminal, text);
    print(isTooLong ? row.with(whole, '') : row, undefined);
  }
}

/** What a table may use: a terminal says how wide it is, and a file or a pipe is read as if it were a small one. */
function columnsOf({ stdout: { isTTY, columns = 0 } }: Terminal): number {
  return isTTY === true ? Math.min(Math.max(columns - 1, LEAST_COLUMNS), MOST_COLUMNS) : LEAST_COLUMNS;
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);

function measure(columns: readonly Column[], rows: readonly Cell[][], available: number): number[] {
  const wanted = columns.map(({ name, isWhole = false, most = isWhole ? MOST_OF_WHOLE : Infinity }, at) => {
    const widths = rows.map((row) => widthOf(showText(textOf(row[at] ?? ''), available)));
    const longest = Math.max(name.length, ...widths);
    return Math.min(longest, most);
  });
  const elastic = columns.findIndex(({ most }) => most === undefined);
  const used = wanted.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1);
  if (elastic >= 0 && used > available)
    wanted[elastic] = Math.max(8, (wanted[elastic] ?? 0) - (used - available));
  return wanted;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character <= '\u007e' || character === '…' ? 1 : 2;
  return width;
}

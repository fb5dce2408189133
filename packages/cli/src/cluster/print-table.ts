// Prints tables that fit a terminal of 80 columns. A wider terminal gets a wider table. Foreign text in a cell is made
// harmless. A cell that is too long is cut, except in columns marked `isWhole`.
import { revealText, wrapText } from '../terminal/reveal-text.js';
import { createStyler, printLine, type Terminal } from '../terminal/terminal.js';
import { StyledText, type Style, type TerminalText } from '../terminal/styled-text.js';

const LEAST_COLUMNS = 79;
const MOST_COLUMNS = 199;
/** The greatest width of an `isWhole` column, so that a few long cells do not widen it for all rows. */
const MOST_OF_WHOLE = 48;
const LEAST_WIDTH = 8;
const GAP = '  ';
const MOST_READ = 10_000;

/** A column: its name, how wide it may be, and whether its cells are numbers, which are aligned on the right. */
export interface Column {
  name: string;
  /** The greatest width. The first column without one is narrowed if the table is too wide for the terminal. */
  most?: number;
  /** The width below which it is never narrowed, in a table without a column that has room. Default 8. */
  least?: number;
  isNumber?: boolean;
  /**
   * Whether users copy cells of this column into other commands. A cell that is too long is then printed whole, on its
   * own line.
   */
  isWhole?: boolean;
}

/** A cell: foreign text, with or without a colour that we choose. */
export type Cell = string | { text: string; style: Style };

/** A foreign text as one harmless line of at most so many columns. */
export function showText(text: string, columns: number): string {
  // Only the start of a very long text is read, unless it is wanted whole.
  if (text.length > MOST_READ && columns < Infinity)
    return showText(`${text.slice(0, MOST_READ - 1)}…`, columns);
  const line = revealText(text.replaceAll(/\s+/g, ' ').trim());
  const [first = '', ...rest] = wrapText(line, columns);
  if (rest.length === 0) return first;
  return `${(wrapText(line, columns - 1)[0] ?? '').trimEnd()}…`;
}

/** Prints rows under the names of their columns. `below` gives lines that follow a row, by its index; they are harmless already. */
export function printTable(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly Cell[][],
  below: (at: number) => readonly string[] = () => [],
): void {
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
  for (const [at, row] of rows.entries()) {
    const text = showText(textOf(row[whole] ?? ''), Infinity);
    const isTooLong = widthOf(text) > (widths[whole] ?? Infinity);
    if (isTooLong) printLine(terminal, text);
    print(isTooLong ? row.with(whole, '') : row, undefined);
    for (const line of below(at)) printLine(terminal, line);
  }
}

/** How many characters wide a table may be. If the output is a file or a pipe, the table is as for a small terminal. */
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
    wanted[elastic] = Math.max(LEAST_WIDTH, (wanted[elastic] ?? 0) - (used - available));
  // That may not be enough. Then the widest of the others give way.
  const sum = (): number =>
    wanted.reduce((total, width) => total + width, 0) + GAP.length * (columns.length - 1);
  while (sum() > available) {
    let widest = -1;
    for (const [at, { isNumber, isWhole, least = LEAST_WIDTH }] of columns.entries()) {
      const width = wanted[at] ?? 0;
      if (!isNumber && !isWhole && width > least && width > (wanted[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    wanted[widest] = (wanted[widest] ?? 0) - 1;
  }
  return wanted;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character <= '\u007e' || character === '…' ? 1 : 2;
  return width;
}

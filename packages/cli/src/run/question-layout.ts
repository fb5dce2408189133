// Lays out the input of a tool call on one screen, for the person who decides about it: short fields first, then the
// beginning and the end of long ones. Foreign text is always indented, so that it cannot be taken for text of this
// command.
import { countOf } from '@inboard/core/util/message-of.js';
import { revealText, wrapText } from '../terminal/reveal-text.js';

export interface ScreenSize {
  columns: number;
  rows: number;
}

/** The rows of an input. */
export interface InputLayout {
  /** The rows that fit on the screen. */
  shown: string[];
  /** All rows of the input. */
  all: string[];
  /** How many characters of the input are not in `shown`. */
  hidden: number;
}

interface Field {
  heading: string;
  /** The rows of the value. Empty if the value is in the heading. */
  rows: string[];
  isTelling: boolean;
}

/** Names of fields that say what a call does, and to what. */
const TELLING =
  /command|cmd|code|script|sql|query|path|file|dir|cwd|folder|url|uri|host|domain|address|destination|target|^to$/i;
const PLAIN_NAME = /^[A-Za-z_][\w.-]{0,39}$/;
const LONGEST_LABEL = 40;
const GUTTER = '  | ';
/** How many rows the rest of the question needs: who asks, why, what "always" allows, and the prompt. */
const ROWS_AROUND = 9;
const LEAST_ROWS = 10;
const LEAST_COLUMNS = 20;
const MOST_LONG_FIELDS = 4;

export function layOutInput(input: Record<string, unknown>, screen: ScreenSize): InputLayout {
  const columns = Math.max(LEAST_COLUMNS, screen.columns - 1);
  const fields = Object.entries(input).map(([name, value]) => layOutField(name, value, columns));
  const ordered = fields.sort((one, other) => rankOf(one) - rankOf(other));
  const all = ordered.flatMap(({ heading, rows }) => [heading, ...rows]);
  const room = Math.max(LEAST_ROWS, screen.rows - ROWS_AROUND);
  if (all.length <= room) return { shown: all, all, hidden: 0 };
  const short = ordered.filter(({ rows }) => rows.length === 0);
  const long = ordered.filter(({ rows }) => rows.length > 0);
  const shownShort = short.slice(0, long.length === 0 ? room - 1 : Math.ceil(room / 2));
  const shownLong = long.slice(0, MOST_LONG_FIELDS);
  const each = Math.floor((room - shownShort.length) / Math.max(1, shownLong.length)) - 2;
  const shown = shownShort.map(({ heading }) => heading);
  let hidden = 0;
  for (const { heading, rows } of shownLong) {
    const cut = cutRows(rows, Math.max(3, each));
    shown.push(heading, ...cut.shown);
    hidden += cut.hidden;
  }
  const left = [...short.slice(shownShort.length), ...long.slice(shownLong.length)];
  if (left.length > 0) {
    const characters = left.reduce((sum, field) => sum + lengthOf([field.heading, ...field.rows]), 0);
    shown.push(`  … ${countOf(left.length, 'more field')}, ${characters} characters …`);
    hidden += characters;
  }
  return { shown, all, hidden };
}

/** Cuts rows out of the middle of a text that has too many. A row in their place says how many characters are left out. */
export function cutRows(rows: readonly string[], most: number): { shown: string[]; hidden: number } {
  if (rows.length <= most + 1) return { shown: [...rows], hidden: 0 };
  const tail = Math.floor(most / 3);
  const head = most - tail;
  const hidden = lengthOf(rows.slice(head, rows.length - tail));
  return {
    shown: [
      ...rows.slice(0, head),
      `  … ${hidden} characters left out here …`,
      ...rows.slice(rows.length - tail),
    ],
    hidden,
  };
}

/** The rows of a text that the person is to judge, each with a mark at its left. */
export function layOutText(text: string, { columns }: Pick<ScreenSize, 'columns'>): string[] {
  return putInGutter(revealText(text), Math.max(LEAST_COLUMNS, columns - 1));
}

function layOutField(name: string, value: unknown, columns: number): Field {
  const label = PLAIN_NAME.test(name) ? name : revealText(JSON.stringify(name));
  const given = typeof value === 'string' ? value : toJson(value);
  const text = revealText(given);
  const isTelling = TELLING.test(name);
  const line = `  ${label}: ${text}`;
  if (!text.includes('\n') && wrapText(line, columns).length === 1)
    return { heading: line, rows: [], isTelling };
  const rows = putInGutter(text, columns);
  if (label.length <= LONGEST_LABEL)
    return { heading: `  ${label} (${given.length} characters):`, rows, isTelling };
  const heading = `  a name of ${name.length} characters:`;
  return { heading, rows: [...putInGutter(label, columns), '  and its value:', ...rows], isTelling };
}

function putInGutter(text: string, columns: number): string[] {
  return wrapText(text, columns - GUTTER.length).map((row) => GUTTER + row);
}

function rankOf({ rows, isTelling }: Field): number {
  return (rows.length === 0 ? 0 : 2) + (isTelling ? 0 : 1);
}

function lengthOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + row.length - (row.startsWith(GUTTER) ? GUTTER.length : 0), 0);
}

function toJson(value: unknown): string {
  try {
    const line = JSON.stringify(value) ?? 'undefined';
    return line.length > 200 ? JSON.stringify(value, undefined, 2) : line;
  } catch (error) {
    // The input is nested too deeply for the stack.
    return `(cannot be shown: ${String(error)})`;
  }
}

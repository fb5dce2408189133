// Cuts the Markdown of a model into blocks: paragraphs, headings, lists, tables, quotes and code. It reads line by line;
// anything it does not know stays a paragraph, word for word.
import { readSpans, type TextSpan } from './text-spans.js';

/** One item of a list, which may continue on further lines. */
export interface ListLine {
  /** 0 for an item at the margin. */
  depth: number;
  /** `-`, or the number that was written. */
  mark: string;
  /** Whether an item of a task list is done; undefined in other lists. */
  isDone: boolean | undefined;
  spans: TextSpan[];
}

/** A block of a text. */
export type MarkdownBlock =
  | { type: 'paragraph' | 'quote'; spans: TextSpan[] }
  | { type: 'heading'; level: number; spans: TextSpan[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'list'; lines: ListLine[] }
  | { type: 'table'; head: TextSpan[][]; rows: TextSpan[][][] }
  | { type: 'rule' };

const MOST_DEPTH = 5;

/** Reads a text. A text that still streams may end in the middle of a block. */
export function readBlocks(text: string): MarkdownBlock[] {
  const reader = new BlockReader();
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) reader.take(line);
  return reader.finish();
}

class BlockReader {
  readonly #blocks: MarkdownBlock[] = [];
  #kind: 'paragraph' | 'quote' | undefined;
  #lines: string[] = [];
  #list: ListLine[] | undefined;
  #fence: { mark: string; language: string; lines: string[] } | undefined;
  #table: string[] = [];

  take(line: string): void {
    if (this.#fence) {
      const { mark } = this.#fence;
      // A line of only three or four such signs ends the code. Any other line is code.
      if ([mark, mark + mark[0]].includes(line.trim())) this.#endFence();
      else this.#fence.lines.push(line);
      return;
    }
    const trimmed = line.trim();
    if (trimmed.startsWith('```') || trimmed.startsWith('~~~')) {
      this.#end();
      this.#fence = { mark: trimmed.slice(0, 3), language: trimmed.slice(3).trim(), lines: [] };
      return;
    }
    if (trimmed.startsWith('|') && trimmed.length > 1) {
      if (this.#table.length === 0) this.#end();
      this.#table.push(trimmed);
      return;
    }
    if (this.#table.length > 0) this.#endTable();
    if (trimmed === '') {
      this.#end();
      return;
    }
    this.#takeLine(line, trimmed);
  }

  finish(): MarkdownBlock[] {
    this.#endFence();
    this.#end();
    return this.#blocks;
  }

  #takeLine(line: string, trimmed: string): void {
    const heading = /^#{1,6} /.exec(trimmed)?.[0];
    if (heading !== undefined) {
      this.#end();
      const spans = readSpans(trimmed.slice(heading.length));
      this.#blocks.push({ type: 'heading', level: heading.length - 1, spans });
      return;
    }
    if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(trimmed)) {
      this.#end();
      this.#blocks.push({ type: 'rule' });
      return;
    }
    const item = readListLine(line, trimmed);
    if (item) {
      if (!this.#list) this.#end();
      (this.#list ??= []).push(item);
      return;
    }
    const last = this.#list?.at(-1);
    if (last && line.startsWith(' ')) {
      // An indented line continues the item above.
      last.spans.push(...readSpans(` ${trimmed}`));
      return;
    }
    const kind = trimmed.startsWith('>') ? 'quote' : 'paragraph';
    if (this.#kind !== kind) this.#end();
    this.#kind = kind;
    this.#lines.push(kind === 'quote' ? trimmed.slice(1).trimStart() : line);
  }

  #end(): void {
    if (this.#list) this.#blocks.push({ type: 'list', lines: this.#list });
    if (this.#kind) this.#blocks.push({ type: this.#kind, spans: readSpans(this.#lines.join('\n')) });
    this.#endTable();
    this.#list = undefined;
    this.#kind = undefined;
    this.#lines = [];
  }

  #endFence(): void {
    if (!this.#fence) return;
    const { language, lines } = this.#fence;
    this.#blocks.push({ type: 'code', language, text: lines.join('\n') });
    this.#fence = undefined;
  }

  #endTable(): void {
    const lines = this.#table;
    if (lines.length === 0) return;
    this.#table = [];
    const [head = '', dashes = '', ...rows] = lines;
    if (/^\|[-:| ]+$/.test(dashes) && dashes.includes('-'))
      this.#blocks.push({ type: 'table', head: readCells(head), rows: rows.map(readCells) });
    else this.#blocks.push({ type: 'paragraph', spans: readSpans(lines.join('\n')) });
  }
}

function readListLine(line: string, trimmed: string): ListLine | undefined {
  const mark = /^(?:[-*+]|\d{1,9}[.)]) /.exec(trimmed)?.[0];
  if (mark === undefined) return undefined;
  const indent = line.length - line.trimStart().length;
  const rest = trimmed.slice(mark.length).trimStart();
  const box = /^\[[ xX]\] /.exec(rest)?.[0];
  return {
    depth: Math.min(MOST_DEPTH, Math.floor(indent / 2)),
    mark: /\d/.test(mark) ? mark.trim() : '-',
    isDone: box === undefined ? undefined : box[1] !== ' ',
    spans: readSpans(box === undefined ? rest : rest.slice(box.length)),
  };
}

function readCells(line: string): TextSpan[][] {
  const inside = line.endsWith('|') ? line.slice(1, -1) : line.slice(1);
  return inside.split('|').map((cell) => readSpans(cell.trim()));
}

// Reads values that are written out in a program: objects, lists, texts, numbers, functions and names of variables. Every
// other expression is "unknown", and rules report nothing about it.
import { stringValue } from '../tokens/string-value.js';
import type { Token } from '../tokens/token.js';

/** A value in a program, as far as it is written out. */
export type Literal = { start: number; end: number } & (
  | { kind: 'value'; value: string | number | boolean | null | undefined }
  | { kind: 'object'; entries: LiteralEntry[]; hasSpread: boolean }
  | { kind: 'list'; items: Literal[]; hasSpread: boolean }
  | { kind: 'function' }
  | { kind: 'name'; name: string }
  | { kind: 'unknown' }
);

/** A field of an object. `isFinal` says that no later spread or computed key can replace it. */
export interface LiteralEntry {
  key: string;
  keyStart: number;
  value: Literal;
  isFinal: boolean;
}

const OPENS = new Set(['(', '[', '{']);
const CLOSES = new Set([')', ']', '}']);
const WORDS: ReadonlyMap<string, boolean | null | undefined> = new Map<string, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/**
 * Where the expression at `start` ends: at a comma, a semicolon or the bracket around it. `start` and the result are
 * indexes of `code`.
 */
function findExpressionEnd(code: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at += 1) {
    const { text, kind } = code[at] as Token;
    // A piece of a template may open or close a `${…}`.
    if (kind === 'template') depth += Number(text.endsWith('${')) - Number(text.startsWith('}'));
    if (kind !== 'punctuator') continue;
    if (depth === 0 && (text === ',' || text === ';' || CLOSES.has(text))) return at;
    if (OPENS.has(text)) depth += 1;
    if (CLOSES.has(text)) depth -= 1;
  }
  return code.length;
}

/** The index of the bracket that closes the one at `open`, or the number of tokens if none does. */
export function closeOf(code: readonly Token[], open: number): number {
  let at = open + 1;
  for (;;) {
    at = findExpressionEnd(code, at);
    const text = code[at]?.text;
    if (text === undefined || (text !== ',' && text !== ';')) return at;
    at += 1;
  }
}

/** Reads the value at `start`, up to the end of the expression. */
export function readLiteral(code: readonly Token[], start: number): Literal {
  return readRange(code, start, findExpressionEnd(code, start));
}

// Real options are not nested this deeply. Deeper values are "unknown", so that a hostile file cannot exhaust the stack.
const DEEPEST = 40;

function readRange(code: readonly Token[], start: number, fullEnd: number, depth = 0): Literal {
  const end = dropTypes(code, start, fullEnd);
  const place = { start, end: fullEnd };
  const first = code[start];
  if (!first || end <= start || depth > DEEPEST) return { kind: 'unknown', ...place };
  if (end === start + 1) return { ...readSingle(first), ...place };
  if (first.text === '-' && code[start + 1]?.kind === 'number' && end === start + 2)
    return { kind: 'value', value: -Number(code[start + 1]?.text.replaceAll('_', '')), ...place };
  if (isFunction(code, start, end)) return { kind: 'function', ...place };
  if (closeOf(code, start) === end - 1) {
    if (first.text === '{')
      return { kind: 'object', ...readEntries(code, start + 1, end - 1, depth + 1), ...place };
    if (first.text === '[')
      return { kind: 'list', ...readItems(code, start + 1, end - 1, depth + 1), ...place };
    if (first.text === '(') return { ...readRange(code, start + 1, end - 1, depth + 1), ...place };
  }
  return { kind: 'unknown', ...place };
}

function readSingle(
  token: Token,
):
  | { kind: 'value'; value: string | number | boolean | null | undefined }
  | { kind: 'name'; name: string }
  | { kind: 'unknown' } {
  const text = stringValue(token);
  if (text !== undefined) return { kind: 'value', value: text };
  if (token.kind === 'number') {
    const value = Number(token.text.replaceAll('_', ''));
    return Number.isNaN(value) ? { kind: 'unknown' } : { kind: 'value', value };
  }
  if (token.kind !== 'name') return { kind: 'unknown' };
  return WORDS.has(token.text)
    ? { kind: 'value', value: WORDS.get(token.text) }
    : { kind: 'name', name: token.text };
}

// Skips `as const`, `satisfies Options` and `!`, which do not change the value.
function dropTypes(code: readonly Token[], start: number, end: number): number {
  const first = code[start];
  if (end === start + 2 && code[end - 1]?.text === '!') return end - 1;
  const close = first && OPENS.has(first.text) ? closeOf(code, start) : start;
  const word = code[close + 1]?.text;
  return close + 1 < end && (word === 'as' || word === 'satisfies') ? close + 1 : end;
}

function isFunction(code: readonly Token[], start: number, end: number): boolean {
  let at = start;
  if (code[at]?.text === 'async' && at + 1 < end) at += 1;
  if (code[at]?.text === 'function') return true;
  if (code[at]?.kind === 'name') return code[at + 1]?.text === '=>';
  if (code[at]?.text !== '(') return false;
  const behind = closeOf(code, at) + 1;
  // Between the parameters and the arrow there may be a type.
  if (code[behind]?.text === '=>') return true;
  return code[behind]?.text === ':' && code.slice(behind, end).some(({ text }) => text === '=>');
}

function readItems(
  code: readonly Token[],
  start: number,
  end: number,
  depth: number,
): { items: Literal[]; hasSpread: boolean } {
  const items: Literal[] = [];
  let hasSpread = false;
  for (let at = start; at < end;) {
    const stop = Math.min(findExpressionEnd(code, at), end);
    if (code[at]?.text === '...') hasSpread = true;
    else if (stop > at) items.push(readRange(code, at, stop, depth));
    at = stop + 1;
  }
  return { items, hasSpread };
}

function readEntries(
  code: readonly Token[],
  start: number,
  end: number,
  depth: number,
): { entries: LiteralEntry[]; hasSpread: boolean } {
  const entries: LiteralEntry[] = [];
  let lastSpread = -1;
  for (let at = start; at < end;) {
    const stop = Math.min(findExpressionEnd(code, at), end);
    if (code[at]?.text === '...' || code[at]?.text === '[') lastSpread = at;
    else {
      const entry = readEntry(code, at, stop, depth);
      if (entry) entries.push(entry);
    }
    at = stop + 1;
  }
  for (const entry of entries) entry.isFinal = entry.value.end > lastSpread;
  return { entries, hasSpread: lastSpread >= 0 };
}

function readEntry(
  code: readonly Token[],
  start: number,
  end: number,
  depth: number,
): LiteralEntry | undefined {
  let at = start;
  // Skip the words before the name of a method: async key() {}, *key() {}, get key() {}.
  while (
    at + 1 < end &&
    /^(?:async|get|set|\*)$/.test(code[at]?.text ?? '') &&
    !/^[:(,]$/.test(code[at + 1]?.text ?? '')
  )
    at += 1;
  const name = code[at];
  if (!name) return undefined;
  const key = stringValue(name) ?? name.text;
  const next = code[at + 1];
  const place = { key, keyStart: name.start, isFinal: true };
  if (at + 1 >= end) {
    const value: Literal = { ...readSingle(name), start: at, end };
    return name.kind === 'name' ? { ...place, value } : undefined;
  }
  if (next?.text === '(' || next?.text === '<')
    return { ...place, value: { kind: 'function', start: at + 1, end } };
  return next?.text === ':' ? { ...place, value: readRange(code, at + 2, end, depth) } : undefined;
}

// Finds the options that a program writes out for query(), startup() and prewarm(): in the call, in a variable of the same
// file, or in a value of the type `Options`. Calls whose options are built elsewhere are only counted.
import type { Token } from '../tokens/token.js';
import { closeOf, readLiteral, type Literal, type LiteralEntry } from './literals.js';
import { findCalls, type Program } from './program.js';

/** An object whose fields are written out in the program. */
export type ObjectLiteral = Extract<Literal, { kind: 'object' }>;

/** The options that a program writes out, and how many calls have options that could not be read. */
export interface GivenOptions {
  literals: ObjectLiteral[];
  /** How many calls have options that could not be read, or only in part. */
  unread: number;
}

/** A call of query(): the indexes of its parentheses, and its argument. */
export interface QueryCall {
  open: number;
  close: number;
  input: Literal;
}

const TAKE_OPTIONS = ['query', 'startup', 'prewarm'];

/** All calls of query(). */
export function findQueries(program: Program): QueryCall[] {
  return findCalls(program, 'query').map((open) => readCall(program.code, open));
}

function readCall(code: readonly Token[], open: number): QueryCall {
  return { open, close: closeOf(code, open), input: readLiteral(code, open + 1) };
}

/** The field of an object with this key. Undefined if there is none, or if a later spread may replace it. */
export function findEntry(literal: Literal, key: string): LiteralEntry | undefined {
  if (literal.kind !== 'object') return undefined;
  return literal.entries.findLast((entry) => entry.key === key && entry.isFinal);
}

/** The options that a program writes out, each once. */
export function findGivenOptions(program: Program): GivenOptions {
  const found = new Map<number, ObjectLiteral>();
  let unread = 0;
  for (const open of TAKE_OPTIONS.flatMap((name) => findCalls(program, name))) {
    const { input, close } = readCall(program.code, open);
    if (close === open + 1) continue;
    const entry = findEntry(input, 'options');
    const isThere = input.kind === 'object' && !input.hasSpread;
    if (entry === undefined) {
      if (!isThere) unread += 1;
      continue;
    }
    const options = followName(program.code, entry.value);
    if (options.kind === 'object') found.set(options.start, options);
    if (options.kind !== 'object' || options.hasSpread) unread += 1;
  }
  for (const literal of findTypedOptions(program)) found.set(literal.start, literal);
  return { literals: [...found.values()], unread };
}

/**
 * If the value is the name of a variable that is declared once in the file, returns the variable's value. Otherwise
 * returns the value itself.
 */
function followName(code: readonly Token[], literal: Literal): Literal {
  if (literal.kind !== 'name') return literal;
  const declared = code.flatMap((token, index) =>
    token.text === literal.name && /^(?:const|let|var)$/.test(code[index - 1]?.text ?? '') ? [index] : [],
  );
  const [at] = declared;
  if (at === undefined || declared.length !== 1) return literal;
  const value = findInitializer(code, at);
  return value === undefined ? literal : readLiteral(code, value);
}

// Returns the index of the value after "=" for a variable that is declared at the index `name`. Skips a short type without
// braces. Undefined if the variable has another type or no value.
function findInitializer(code: readonly Token[], name: number): number | undefined {
  for (let at = name + 1; at < code.length && at < name + 60; at += 1) {
    const text = code[at]?.text;
    if (text === '=') return at + 1;
    if (text === ';' || text === '{' || text === 'of' || text === 'in') return undefined;
  }
  return undefined;
}

// Finds `const x: Options = { … }` and `{ … } satisfies Options`.
function findTypedOptions({ code, locals }: Program): ObjectLiteral[] {
  return code.flatMap((token, index) => {
    if (token.kind !== 'name' || locals.get(token.text) !== 'Options') return [];
    const isAnnotation = code[index - 1]?.text === ':' && code[index + 1]?.text === '=';
    const isChecked = code[index - 1]?.text === 'satisfies' && code[index - 2]?.text === '}';
    const start = isAnnotation ? index + 2 : isChecked ? openOf(code, index - 2) : undefined;
    const literal = start === undefined ? undefined : readLiteral(code, start);
    return literal?.kind === 'object' ? [literal] : [];
  });
}

function openOf(code: readonly Token[], close: number): number | undefined {
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    const { text, kind } = code[at] as Token;
    if (kind !== 'punctuator') continue;
    if (text === ')' || text === ']' || text === '}') depth += 1;
    if (text === '(' || text === '[' || text === '{') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

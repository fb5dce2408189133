// Finds the place where a text is not valid JSON. Browsers describe the mistake in different words, and some do not
// give the place.

/** The first mistake. */
export interface JsonMistake {
  /** From 1, as editors count. */
  line: number;
  column: number;
  message: string;
}

/** The value of a text, or where it is wrong. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; mistake: JsonMistake };

/** Parses a text; on failure gives the place of the mistake. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, mistake: findMistake(text) };
  }
}

interface Stop {
  at: number;
  message: string;
}

const TOKEN = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[-+.\w]+/sy;
const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** What may come next. `value or ]` and `key or }` are the states after an opening bracket. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'nothing';

function findMistake(text: string): JsonMistake {
  const { at, message } = findStop(text);
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}

function findStop(text: string): Stop {
  const open: Array<'{' | '['> = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at += /^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at >= text.length) return { at, message: explainEnd(expected, open.at(-1)) };
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    const next: Expected | undefined = token === undefined ? undefined : step(token, expected, open);
    if (token === undefined || next === undefined) return { at, message: explain(text, at, token, expected) };
    expected = next;
    at += token.length;
  }
}

/** The state after a token; undefined if the token does not fit. */
function step(token: string, expected: Expected, open: Array<'{' | '['>): Expected | undefined {
  const mayClose = expected === 'comma' || expected.includes(' or ');
  if (token === '}' || token === ']') {
    if (!mayClose || open.at(-1) !== (token === '}' ? '{' : '[')) return undefined;
    open.pop();
    return open.length === 0 ? 'nothing' : 'comma';
  }
  if (expected === 'comma') {
    if (token !== ',') return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (expected === 'colon') return token === ':' ? 'value' : undefined;
  if (token.startsWith('"') && !isText(token)) return undefined;
  if (expected.startsWith('key')) return token.startsWith('"') ? 'colon' : undefined;
  if (!expected.startsWith('value')) return undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'key or }' : 'value or ]';
  }
  if (!token.startsWith('"') && !WORD.test(token)) return undefined;
  return open.length === 0 ? 'nothing' : 'comma';
}

/** Whether a quoted token is a valid JSON string. Line breaks and unknown escapes are not allowed in one. */
function isText(token: string): boolean {
  try {
    return typeof JSON.parse(token) === 'string';
  } catch {
    return false;
  }
}

function explainEnd(expected: Expected, open: '{' | '[' | undefined): string {
  if (open === undefined) return 'A value is missing.';
  const closing = open === '{' ? '"}"' : '"]"';
  return expected === 'comma' || expected.includes(' or ')
    ? `The text ends before ${closing}.`
    : 'The text ends in the middle.';
}

function explain(text: string, at: number, token: string | undefined, expected: Expected): string {
  const found = token ?? text[at] ?? '';
  if (found.startsWith('"') && (token === undefined || !isText(token)))
    return 'This string is not closed, or has a line break or escape that JSON does not allow.';
  if (found === "'") return 'JSON needs double quotes.';
  if (expected === 'nothing') return 'Nothing may follow the value.';
  const isBracket = found === '}' || found === ']';
  if (isBracket && text.slice(0, at).trimEnd().endsWith(',')) return 'Remove the comma before this bracket.';
  const wanted = { comma: 'a comma or a closing bracket', colon: 'a colon' } as Record<string, string>;
  const what = wanted[expected] ?? (expected.startsWith('key') ? 'a name in double quotes' : 'a value');
  return `Expected ${what}, not ${JSON.stringify(found.slice(0, 20))}.`;
}

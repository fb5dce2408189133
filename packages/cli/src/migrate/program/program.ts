// One file of a program, as rules see it: its tokens, the modules it names, the names it takes from the official package,
// and the calls of those names. Rules do not read the text themselves.
import { tokenize } from '../tokens/tokenize.js';
import { isCode, type SourceProblem, type Token } from '../tokens/token.js';
import { closeOf } from './literals.js';
import { findModuleLinks, type ModuleLink } from './module-links.js';
import { isOfficial } from './official-package.js';

/** A file of a program. */
export interface Program {
  /** Its tokens, without spaces and comments. */
  readonly code: readonly Token[];
  /** Where it names the official package, or a part of it, as a module. */
  readonly links: readonly ModuleLink[];
  /** The names of the official package, by the names the file gives them. */
  readonly locals: ReadonlyMap<string, string>;
  /** The names the file gives to the whole package. */
  readonly namespaces: ReadonlySet<string>;
  readonly problem: SourceProblem | undefined;
}

/** Reads a file; its name says which language it is in. */
export function readProgram(source: string, fileName: string): Program {
  const { tokens, problem } = cut(source, fileName);
  const code = tokens.filter(isCode);
  const comments = tokens.filter(({ kind }) => kind === 'comment');
  const links = findModuleLinks(code, comments).filter(({ specifier }) => isOfficial(specifier));
  // A name that the file only exports again is not a local name.
  const taken = links.filter(({ kind }) => kind !== 'export');
  const names = taken.flatMap((link) => link.names);
  return {
    code,
    links,
    locals: new Map(names.map(({ local, imported }) => [local, imported])),
    namespaces: new Set(taken.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace]))),
    problem,
  };
}

// JSX elements occur in `.tsx` and `.jsx`, perhaps in `.js`, never in `.ts`. If one reading fails, the other is tried.
function cut(source: string, fileName: string): ReturnType<typeof tokenize> {
  const first = tokenize(source, { jsx: !/\.[cm]?ts$/.test(fileName) });
  if (!first.problem) return first;
  const second = tokenize(source, { jsx: /\.[cm]?ts$/.test(fileName) });
  return second.problem ? first : second;
}

/** Where a function of the official package is called: the indexes of the opening parentheses. */
export function findCalls({ code, locals, namespaces }: Program, name: string): number[] {
  return code.flatMap((token, index) => {
    if (token.kind !== 'name') return [];
    const before = code[index - 1]?.text;
    const isMember = before === '.' || before === '?.';
    const isMeant = isMember
      ? token.text === name && namespaces.has(code[index - 2]?.text ?? '') && code[index - 3]?.text !== '.'
      : locals.get(token.text) === name;
    const open = isMeant ? findArguments(code, index, isMember ? index - 3 : index - 1) : index;
    if (!isMeant || code[open]?.text !== '(') return [];
    return !isMember && isDeclaration(code, index, open) ? [] : [open];
  });
}

// Finds the arguments in `query(…)`, `query<T>(…)` and `(query as Ask)(…)`. `outer` is the token before the whole name.
function findArguments(code: readonly Token[], name: number, outer: number): number {
  const isCast = code[name + 1]?.text === 'as' && code[outer]?.text === '(';
  return isCast ? closeOf(code, outer) + 1 : skipTypes(code, name + 1);
}

// After these words, a name with parentheses and a colon is a call, in a condition or a `case`.
const BEFORE_CALL = new Set('await case delete in instanceof new of typeof void yield'.split(' '));
const BEFORE_METHOD = new Set(['{', '}', ';', ',']);

// Whether this declares a function or method of the same name: `function query() {}`, `async query(): Promise<void>
// {}`, `query(): void;`.
function isDeclaration(code: readonly Token[], index: number, open: number): boolean {
  const isStarred = code[index - 1]?.text === '*';
  const before = code[isStarred ? index - 2 : index - 1];
  if (before?.text === 'function') return true;
  const behind = code[closeOf(code, open) + 1]?.text;
  if (behind === '{') return true;
  if (behind !== ':' || before === undefined) return false;
  if (before.kind !== 'name') return BEFORE_METHOD.has(before.text);
  // After any other name, the star multiplies.
  return isStarred ? before.text === 'async' || before.text === 'static' : !BEFORE_CALL.has(before.text);
}

function skipTypes(code: readonly Token[], start: number): number {
  if (code[start]?.text !== '<') return start;
  let depth = 0;
  for (let at = start; at < code.length && at < start + 60; at += 1) {
    if (code[at]?.text === '<') depth += 1;
    if (code[at]?.text === '>') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return start;
}

// The names in an import or export clause, and in what the result of require() or import() is put into.
import { stringValue } from '../tokens/string-value.js';
import type { Token } from '../tokens/token.js';

/** A name that a program takes from a module. */
export interface ImportedName {
  imported: string;
  /** What the program calls it. */
  local: string;
  start: number;
}

/** What is taken from a module. */
export interface ImportedNames {
  names: ImportedName[];
  /** What the whole module is called. */
  namespace: string | undefined;
}

/** Reads what stands between `import` or `export` and `from`. */
export function readClause(tokens: readonly Token[]): ImportedNames {
  const names: ImportedName[] = [];
  let namespace: string | undefined;
  let at = 0;
  // `import type from 'x'` takes a default of that name; `import type { A } from 'x'` takes types.
  if (tokens[0]?.text === 'type' && tokens.length > 1 && tokens[1]?.text !== ',') at = 1;
  while (at < tokens.length) {
    const token = tokens[at] as Token;
    if (token.text === '{') {
      const end = tokens.findIndex((each, index) => index > at && each.text === '}');
      names.push(...readNames(tokens.slice(at + 1, end < 0 ? undefined : end), 'as'));
      at = end < 0 ? tokens.length : end + 1;
    } else if (token.text === '*') {
      namespace = tokens[at + 1]?.text === 'as' ? tokens[at + 2]?.text : '*';
      at += 3;
    } else {
      if (token.kind === 'name') names.push({ imported: 'default', local: token.text, start: token.start });
      at += 1;
    }
  }
  return { names, namespace };
}

/** Reads what the result of a call is put into: `const { a, b: c } = await import(…)`, `const sdk = require(…)`. */
export function readPattern(code: readonly Token[], called: number): ImportedNames {
  let at = called - 1;
  while (code[at]?.text === 'await' || code[at]?.text === '(') at -= 1;
  if (code[at]?.text !== '=') return { names: [], namespace: undefined };
  const target = code[at - 1];
  if (target?.kind === 'name') return { names: [], namespace: target.text };
  if (target?.text !== '}') return { names: [], namespace: undefined };
  let open = at - 2;
  while (open >= 0 && code[open]?.text !== '{' && code[open]?.text !== '}') open -= 1;
  // A pattern in the pattern: what is in it is no name of the module.
  if (code[open]?.text !== '{') return { names: [], namespace: undefined };
  return { names: readNames(code.slice(open + 1, at - 1), ':'), namespace: undefined };
}

/** The entries of a list, renamed by `as` or `:`. */
function readNames(tokens: readonly Token[], renamedBy: 'as' | ':'): ImportedName[] {
  const names: ImportedName[] = [];
  for (let at = 0; at < tokens.length;) {
    let end = tokens.findIndex((each, index) => index >= at && each.text === ',');
    if (end < 0) end = tokens.length;
    const entry = tokens.slice(at, end);
    // `type A` is a type; `type` alone, and `type as a`, are names.
    if (entry.length > 1 && entry[0]?.text === 'type' && entry[1]?.text !== 'as') entry.shift();
    const [first, separator, second] = entry;
    if (first && first.text !== '...') {
      const imported = stringValue(first) ?? first.text;
      const isRenamed = separator?.text === renamedBy && second?.kind === 'name';
      names.push({ imported, local: isRenamed ? second.text : imported, start: first.start });
    }
    at = end + 1;
  }
  return names;
}

// Reads the names in an import or export clause, and in the variable or pattern that receives the result of require() or
// import().
import { stringValue } from '../tokens/string-value.js';
import type { Token } from '../tokens/token.js';
import { closeOf } from './literals.js';

/** A name that a program takes from a module. */
export interface ImportedName {
  imported: string;
  /** What the program calls it. */
  local: string;
  start: number;
}

/** The names that a program takes from a module. */
export interface ImportedNames {
  names: ImportedName[];
  /** What the program calls the whole module. */
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

const NOTHING: ImportedNames = { names: [], namespace: undefined };

/** A call that loads a module: the indexes of the function's name and of the opening parenthesis. */
export interface LoadingCall {
  called: number;
  open: number;
}

/**
 * Reads what receives the result of a call: `const { a, b: c } = await import(…)`, `const sdk = require(…)`,
 * `const a = (await import(…)).a`, `import(…).then(({ a }) => …)`.
 */
export function readPattern(code: readonly Token[], { called, open }: LoadingCall): ImportedNames {
  let at = called - 1;
  // `vi.importActual()` gives a module, as `importActual()` does. `require.resolve()` gives a path, so what receives it
  // is no module.
  while (code[called]?.text !== 'resolve' && isDot(code[at])) at -= 2;
  let behind = closeOf(code, open) + 1;
  const call = behind;
  for (; code[at]?.text === 'await' || code[at]?.text === '('; at -= 1)
    if (code[at]?.text === '(' && code[behind]?.text === ')') behind += 1;
  const target = code[at]?.text === '=' ? at - 1 : undefined;
  if (isDot(code[call]) && code[call + 1]?.text === 'then' && code[call + 2]?.text === '(')
    return readCallback(code, call + 3, target);
  if (target === undefined) return NOTHING;
  if (!isDot(code[behind])) return readTarget(code, target);
  const property = code[behind + 1];
  // `.catch()` and `.finally()` still give the module. Any other method gives a result of its own.
  if (code[behind + 2]?.text === '(')
    return /^(?:catch|finally)$/.test(property?.text ?? '') ? readTarget(code, target) : NOTHING;
  return endsExpression(code[behind + 2]) ? nameTarget(code[target], property) : NOTHING;
}

function readTarget(code: readonly Token[], at: number): ImportedNames {
  const target = code[at];
  if (target?.kind === 'name') return { names: [], namespace: target.text };
  if (target?.text !== '}') return NOTHING;
  let open = at - 1;
  while (open >= 0 && code[open]?.text !== '{' && code[open]?.text !== '}') open -= 1;
  // Names in a nested pattern are not names of the module.
  if (code[open]?.text !== '{') return NOTHING;
  return { names: readNames(code.slice(open + 1, at), ':'), namespace: undefined };
}

/** Reads `({ a }) => …`, `(sdk) => …` and `(sdk) => sdk.a`. For the last, `a` is what the variable `target` receives. */
function readCallback(code: readonly Token[], start: number, target: number | undefined): ImportedNames {
  const first = code[start]?.text === 'async' ? start + 1 : start;
  const parameter = code[first]?.text === '(' ? first + 1 : first;
  const name = code[parameter];
  if (name?.text === '{') return readTarget(code, closeOf(code, parameter));
  if (name?.kind !== 'name') return NOTHING;
  const arrow = parameter === first ? parameter + 1 : closeOf(code, first) + 1;
  if (code[arrow]?.text !== '=>') return NOTHING;
  const isProperty = code[arrow + 1]?.text === name.text && isDot(code[arrow + 2]);
  const isWhole = isProperty && endsExpression(code[arrow + 4]);
  const named = isWhole && target !== undefined ? nameTarget(code[target], code[arrow + 3]) : NOTHING;
  return { names: named.names, namespace: name.text };
}

function nameTarget(target: Token | undefined, property: Token | undefined): ImportedNames {
  if (target?.kind !== 'name' || property?.kind !== 'name') return NOTHING;
  const name = { imported: property.text, local: target.text, start: property.start };
  return { names: [name], namespace: undefined };
}

// Whether an expression ends before this token. Other punctuation after a property makes the expression another value
// or type.
function endsExpression(token: Token | undefined): boolean {
  if (token?.kind === 'template') return false;
  return token?.kind !== 'punctuator' || /^[;,)}]$/.test(token.text);
}

function isDot(token: Token | undefined): boolean {
  return token?.text === '.' || token?.text === '?.';
}

/** Reads a list of names, in which `as` or `:` renames an entry. */
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

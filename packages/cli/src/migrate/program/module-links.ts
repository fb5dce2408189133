// Finds where a program names a module: imports, exports, require(), import(), mocks, augmentations and comments with
// types. It does not parse the grammar. It recognises each form by the few tokens around the specifier.
import { stringValue } from '../tokens/string-value.js';
import type { Token } from '../tokens/token.js';
import { readClause, readPattern, type ImportedNames } from './import-clause.js';

/** A place where a module is named. */
export interface ModuleLink extends ImportedNames {
  kind: 'import' | 'export' | 'call' | 'mock' | 'augmentation' | 'comment';
  specifier: string;
  /** Where the specifier begins, after its opening quote. */
  start: number;
}

// Functions that load, replace or look up a module by its name, of Node, Jest, Vitest, Bun and test doubles.
const LOADERS = new Set([
  'require',
  'import',
  'resolve',
  'requireActual',
  'importActual',
  'requireMock',
  'importMock',
]);
const MOCKS = new Set(
  'mock doMock unmock dontMock doUnmock setMock module unstable_mockModule createMockFromModule replace replaceEsm hoisted'.split(
    ' ',
  ),
);
const NO_NAMES: ImportedNames = { names: [], namespace: undefined };

/** Every link in a program. `code` are its tokens without spaces and comments. */
export function findModuleLinks(code: readonly Token[], comments: readonly Token[]): ModuleLink[] {
  const links = code.flatMap((token, index) => {
    const specifier = stringValue(token);
    const found = specifier === undefined ? undefined : readLink(code, index);
    return specifier !== undefined && found ? [{ ...found, specifier, start: token.start + 1 }] : [];
  });
  return [...links, ...comments.flatMap(readComment)].toSorted((left, right) => left.start - right.start);
}

function readLink(
  code: readonly Token[],
  index: number,
): Pick<ModuleLink, 'kind' | keyof ImportedNames> | undefined {
  const before = code[index - 1];
  if (before?.text === 'from') return readStatement(code, index - 1);
  if (before?.text === 'import' && !isProperty(code, index - 1)) return { kind: 'import', ...NO_NAMES };
  if (before?.text === 'module' && code[index - 2]?.text === 'declare')
    return { kind: 'augmentation', ...NO_NAMES };
  if (before?.text !== '(') return undefined;
  const called = skipTypeArguments(code, index - 2);
  const name = code[called]?.text ?? '';
  if (isOfSomethingElse(code, called)) return undefined;
  if (LOADERS.has(name)) return { kind: 'call', ...readPattern(code, { called, open: index - 1 }) };
  return MOCKS.has(name) && isProperty(code, called) ? { kind: 'mock', ...NO_NAMES } : undefined;
}

// Functions with these names take the name of a module only if they are properties of these objects.
const OWNERS: Readonly<Record<string, ReadonlySet<string>>> = {
  // `require.resolve()` and `import.meta.resolve()`, not `Promise.resolve()`.
  resolve: new Set(['require', 'meta']),
  // `td.replace()`, not `String.prototype.replace()`.
  replace: new Set(['td', 'testdouble']),
  replaceEsm: new Set(['td', 'testdouble']),
};

function isOfSomethingElse(code: readonly Token[], called: number): boolean {
  const name = code[called]?.text ?? '';
  const owner = isProperty(code, called) ? (code[called - 2]?.text ?? '') : undefined;
  // `module.require()` loads a module; `log.require()` does not.
  if (name === 'require' || name === 'import') return owner !== undefined && owner !== 'module';
  if (!Object.hasOwn(OWNERS, name)) return false;
  return owner === undefined || OWNERS[name]?.has(owner) !== true;
}

/** Whether a name is the property of something, as `import` is in `meta.import`. */
function isProperty(code: readonly Token[], index: number): boolean {
  return code[index - 1]?.text === '.' || code[index - 1]?.text === '?.';
}

// Reads the statement that a `from` belongs to, backwards to its `import` or `export`.
function readStatement(
  code: readonly Token[],
  from: number,
): Pick<ModuleLink, 'kind' | keyof ImportedNames> | undefined {
  for (let at = from - 1; at >= 0; at -= 1) {
    const { text, kind } = code[at] as Token;
    if (
      (text === 'import' || text === 'export') &&
      kind === 'name' &&
      !isProperty(code, at) &&
      !isRenamed(code, at)
    ) {
      return { kind: text, ...readClause(code.slice(at + 1, from)) };
    }
    // Another statement ended here. Without this stop, a file with many imports would be read again from each of them.
    if (kind === 'string' && code[at - 1]?.text === 'from') return undefined;
    const belongs =
      kind === 'name' || kind === 'string' || text === ',' || text === '{' || text === '}' || text === '*';
    if (!belongs) return undefined;
  }
  return undefined;
}

// In `{ import as x }` and `{ x as import }`, `import` is an ordinary name.
function isRenamed(code: readonly Token[], at: number): boolean {
  return code[at + 1]?.text === 'as' && code[at + 2]?.text !== 'from' ? true : code[at - 1]?.text === 'as';
}

/** For the last token of `name<…>`, returns the index of `name`. Without type arguments, returns `end` itself. */
function skipTypeArguments(code: readonly Token[], end: number): number {
  if (code[end]?.text !== '>') return end;
  let depth = 0;
  // Type arguments of a call are short. A `>` without a `<` near it is a comparison.
  for (let at = end; at >= 0 && at > end - 60; at -= 1) {
    if (code[at]?.text === '>') depth += 1;
    if (code[at]?.text === '<') depth -= 1;
    if (depth === 0) return at - 1;
  }
  return end;
}

// Module names in comments: imports of types, as in JavaScript with JSDoc, and TypeScript's `/// <reference types>`.
const IN_COMMENT =
  /(?:\bimport\(\s*|@import\b[^\n@]{0,500}?\bfrom\s*|^\/\/\/\s*<reference\s+types=)(["'])([^"'\n]{1,200})\1/g;

function readComment({ text, start }: Token): ModuleLink[] {
  return Array.from(text.matchAll(IN_COMMENT), (match) => {
    const [whole, , specifier = ''] = match;
    const place = start + match.index + whole.length - specifier.length - 1;
    return { kind: 'comment', specifier, start: place, ...NO_NAMES };
  });
}

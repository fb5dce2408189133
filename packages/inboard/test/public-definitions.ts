// Where the names that the entry points let through are defined, and which of them are functions that callers give.
import { resolveImport, type SourceFiles } from '../../../test/package/import-graph.js';

export type { SourceFiles };

const LIST = /^export (?:type )?\{([^}]*)\}(?: from '(.+?)')?;/gm;
const DEFINITION = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
/** Far more than any definition has. */
const MAX_LENGTH = 40_000;
const WILDCARD = /^export (?:type )?\* from '(.+?)';/gm;

/** The names in a list of exports, each with the name it has where it comes from. */
function readNames(list: string): { own: string; source: string }[] {
  const entries = list.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '').split(',');
  return entries.flatMap((entry) => {
    const [source = '', own = source] = entry
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return own === '' ? [] : [{ own, source }];
  });
}

/** The names that a file lets through by lists. */
export function listNames(text: string): string[] {
  return [...text.matchAll(LIST)].flatMap(([, list = '']) => readNames(list).map(({ own }) => own));
}

const indexes = new Map<string, Map<string, number>>();

/** Where each definition of a file begins; a file is looked through once, however many names it has. */
function indexOfDefinitions(text: string): Map<string, number> {
  const known = indexes.get(text);
  if (known) return known;
  const found = new Map<string, number>();
  for (const { 1: name = '', index } of text.matchAll(DEFINITION))
    if (!found.has(name)) found.set(name, index);
  indexes.set(text, found);
  return found;
}

const lists = new Map<string, Map<string, { source: string; specifier: string }>>();

/** What a file passes on by lists, by the name it has here. */
function indexOfLists(text: string): Map<string, { source: string; specifier: string }> {
  const known = lists.get(text);
  if (known) return known;
  const found = new Map<string, { source: string; specifier: string }>();
  for (const [, list = '', specifier] of text.matchAll(LIST))
    for (const { own, source } of readNames(list)) if (specifier) found.set(own, { source, specifier });
  lists.set(text, found);
  return found;
}

/** A file's text, and where in it a definition begins. */
export interface Definition {
  text: string;
  index: number;
}

/** The definition of a name that a file exports, wherever it has it from; undefined when it is not found. */
export function findDefinition(files: SourceFiles, path: string, name: string): Definition | undefined {
  const text = files.get(path);
  if (text === undefined) return undefined;
  const index = indexOfDefinitions(text).get(name);
  if (index !== undefined) return { text, index };
  const passedOn = indexOfLists(text).get(name);
  if (passedOn)
    return findDefinition(files, resolveImport(files, path, passedOn.specifier) ?? '', passedOn.source);
  for (const [, specifier = ''] of text.matchAll(WILDCARD)) {
    const found = findDefinition(files, resolveImport(files, path, specifier) ?? '', name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Every public type of a function, as `Name`, and every member of a public interface that is one, as `Name.member`, or
 * `Name()` where the interface itself can be called. Classes are left out, because only this package creates their objects.
 */
export function listFunctionTypes(files: SourceFiles): string[] {
  const found = new Set<string>();
  for (const [path, text] of files) {
    if (!path.startsWith('packages/inboard/src/')) continue;
    for (const name of listNames(text)) {
      const definition = findDefinition(files, path, name);
      if (definition) for (const each of functionsIn(name, definition)) found.add(each);
    }
  }
  return [...found].sort();
}

function functionsIn(name: string, { text, index }: Definition): string[] {
  const lines = text.slice(index, index + MAX_LENGTH).split('\n');
  const kind = /^export (?:async )?(\w+)/.exec(lines[0] ?? '')?.[1];
  if (kind === 'interface') return membersOf(lines).map((member) => `${name}${member}`);
  // A type whose parameters are compared loosely is written as the member of an object.
  if (kind === 'type') return /=>|^ {2}\w+\(/m.test(takeUntil(lines, (line) => line === '')) ? [name] : [];
  if (kind !== 'function') return [];
  return takeUntil(lines, (line) => line.endsWith('{')).includes('=>') ? [name] : [];
}

/** The members of an interface that are functions: each begins with two spaces, and what belongs to it with more. */
function membersOf(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line === '}' || line.endsWith('{}'));
  const members: string[] = [];
  for (const line of lines.slice(1, end)) {
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
    if (/^ {2}[^ )}]/.test(line)) members.push(line.trim());
    else members.push(`${members.pop() ?? ''} ${line.trim()}`);
  }
  return members.flatMap((member) => {
    if (/^[(<]/.test(member)) return ['()'];
    const [, key, mark] = /^(?:readonly )?(\w+)\??([(<:])/.exec(member) ?? [];
    return key !== undefined && (mark !== ':' || member.includes('=>')) ? [`.${key}`] : [];
  });
}

function takeUntil(lines: readonly string[], isEnd: (line: string) => boolean): string {
  const end = lines.findIndex(isEnd);
  return lines
    .slice(0, end === -1 ? undefined : end + 1)
    .filter((line) => !/^\s*\/[/*]/.test(line))
    .join('\n');
}

// The parameters of every function that an entry point lets through, read from the sources: types leave nothing behind at run time.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { resolveImport } from '../../../test/package/import-graph.js';
import { PROJECT_ROOT, readSourceFiles } from '../../../test/package/project.js';

/** One way to call a function: whether each parameter may be left out or undefined. */
export type Signature = readonly { name: string; isOptional: boolean }[];

interface Node {
  type: string;
  [name: string]: unknown;
}

const ENTRY_POINTS = 'packages/inboard/src';
const FILES = readSourceFiles();
const bodies = new Map<string, Node[]>();

function bodyOf(path: string): Node[] {
  const known = bodies.get(path);
  if (known) return known;
  const { program } = parseSync(path, readFileSync(join(PROJECT_ROOT, path), 'utf8'));
  const body = program.body as unknown as Node[];
  bodies.set(path, body);
  return body;
}

/** By entry point and name, as in `inspector.inspect`; overloads have several. */
export function readSignatures(): Map<string, Signature[]> {
  const found = new Map<string, Signature[]>();
  for (const file of readdirSync(join(PROJECT_ROOT, ENTRY_POINTS))) {
    const path = posix.join(ENTRY_POINTS, file);
    for (const name of listNames(path)) {
      const signatures = findSignatures(path, name);
      if (signatures.length > 0) found.set(`${file.replace(/\.ts$/, '')}.${name}`, signatures);
    }
  }
  return found;
}

const isValue = ({ exportKind }: Node): boolean => exportKind !== 'type';
const sourceOf = (path: string, { source }: Node): string | undefined => {
  const value = (source as { value?: string } | null | undefined)?.value;
  return value === undefined ? undefined : resolveImport(FILES, path, value);
};
const specifiersOf = (statement: Node): Node[] => ((statement['specifiers'] ?? []) as Node[]).filter(isValue);
const nameOf = (node: unknown): string => (node as { name: string }).name;

function listNames(path: string): string[] {
  return bodyOf(path)
    .filter(isValue)
    .flatMap((statement) => {
      const from = sourceOf(path, statement);
      if (statement.type === 'ExportAllDeclaration' && from !== undefined) return listNames(from);
      if (statement.type !== 'ExportNamedDeclaration') return [];
      const declared = declaredIn(statement).map(([name]) => name);
      return [...declared, ...specifiersOf(statement).map(({ exported }) => nameOf(exported))];
    })
    .filter((name, at, all) => all.indexOf(name) === at);
}

/** What a statement declares, each with the function behind it. */
function declaredIn({ declaration }: Node): [name: string, made: Node | undefined][] {
  const declared = declaration as Node | null | undefined;
  if (!declared) return [];
  if (declared.type === 'VariableDeclaration')
    return (declared['declarations'] as Node[]).map(({ id, init }) => [nameOf(id), init as Node | undefined]);
  return 'id' in declared && declared['id'] ? [[nameOf(declared['id']), declared]] : [];
}

function findSignatures(path: string, name: string): Signature[] {
  const own: Node[] = [];
  for (const statement of bodyOf(path).filter(isValue)) {
    const from = sourceOf(path, statement);
    if (statement.type === 'ExportAllDeclaration' && from !== undefined) {
      if (listNames(from).includes(name)) return findSignatures(from, name);
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const [declared, made] of declaredIn(statement)) if (declared === name && made) own.push(made);
      const passed = specifiersOf(statement).find(({ exported }) => nameOf(exported) === name);
      if (passed && from !== undefined) return findSignatures(from, nameOf(passed['local']));
    }
  }
  const functions = own.filter(({ params }) => Array.isArray(params));
  // Of overloads, the last is how it is made, not how it is called.
  const callable = functions.length > 1 ? functions.filter(({ body }) => !body) : functions;
  return callable.map(({ params }) => (params as Node[]).map(readParameter));
}

function readParameter(parameter: Node): Signature[number] {
  const inner = (parameter['left'] ?? parameter['argument'] ?? parameter) as Node;
  const annotation = (inner['typeAnnotation'] as { typeAnnotation?: Node } | null)?.typeAnnotation;
  const mayBeUndefined =
    annotation?.type === 'TSUnionType' &&
    (annotation['types'] as Node[]).some(({ type }) => type === 'TSUndefinedKeyword');
  return {
    name: typeof inner['name'] === 'string' ? inner['name'] : inner.type,
    isOptional:
      parameter.type === 'AssignmentPattern' ||
      parameter.type === 'RestElement' ||
      inner['optional'] === true ||
      mayBeUndefined,
  };
}

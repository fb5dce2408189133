// An exported name means one thing in all packages: it is declared in one file. docs/architecture.md has the words they are made of.
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { readImports, resolveImport } from './import-graph.js';
import { readProjectFile, readSourceFiles } from './project.js';

/** A name that several files declare all the same. */
interface SharedName {
  files: readonly string[];
  because: string;
}

/** What users import may not be renamed here; each stands for a thing of its own entry point. */
const SHARED: Readonly<Record<string, SharedName>> = {
  Conversation: {
    files: [
      'packages/core/src/verbs/conversation/conversation.ts',
      'packages/testing/src/scripted-model/model-script.ts',
    ],
    because:
      'public in `inboard/testing`, as the part of a script; the other is the conversation of the glossary',
  },
  ToolUseBlock: {
    files: ['packages/core/src/wire/protocol/api/api-blocks.ts', 'packages/testing/src/script/reply.ts'],
    because: 'public in `inboard`, as the API sends it, and in `inboard/testing`, as a script writes it',
  },
  TraceFault: {
    files: ['packages/core/src/errors/record-errors.ts', 'packages/core/src/record/trace/trace-event.ts'],
    because: 'public in `inboard/types`, as the code of an error, and in `inboard/trace`, as an event',
  },
};

/** Files all of whose names may stand elsewhere too, with the reason. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  'packages/inboard/src/load-on-use.ts':
    'each function is the public form of one with the same name, which it loads when it is first called',
  'packages/core/src/record/settings/table/setting-kinds.ts':
    'its values are read with the name of the namespace in front, as in `kind.flag`',
};

/** A node of a syntax tree, as far as it is looked at here. */
interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

const asNode = (value: unknown): SyntaxNode => value as SyntaxNode;
const asNodes = (value: unknown): SyntaxNode[] => value as SyntaxNode[];

/** The names that a file declares and exports; what it passes on from other files is not among them. */
function readDeclaredExports(path: string, text: string): Set<string> {
  const program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path);
  const statements = asNodes(program.body);
  const imported = new Set(
    statements
      .filter(({ type }) => type === 'ImportDeclaration')
      .flatMap(({ specifiers }) => asNodes(specifiers).map(({ local }) => asNode(local)['name'])),
  );
  return new Set(
    statements.flatMap((statement) => {
      if (statement.type !== 'ExportNamedDeclaration' || statement['source']) return [];
      if (statement['declaration']) return namesOfDeclaration(asNode(statement['declaration']));
      return asNodes(statement['specifiers'])
        .filter(({ local }) => !imported.has(asNode(local)['name']))
        .map(({ exported }) => String(asNode(exported)['name']));
    }),
  );
}

function namesOfDeclaration(declaration: SyntaxNode): string[] {
  if (declaration.type !== 'VariableDeclaration') return namesOfPattern(asNode(declaration['id']));
  return asNodes(declaration['declarations']).flatMap(({ id }) => namesOfPattern(asNode(id)));
}

/** `{ a, b: c }` declares `a` and `c`. */
function namesOfPattern(pattern: SyntaxNode): string[] {
  if (pattern.type === 'Identifier') return [String(pattern['name'])];
  if (pattern.type === 'ObjectPattern')
    return asNodes(pattern['properties']).flatMap(({ value, argument }) =>
      namesOfPattern(asNode(value ?? argument)),
    );
  throw new Error(
    `"${pattern.type}" is exported, which this test cannot read. Teach it, or export plain names.`,
  );
}

/** Every name that several files declare, with the files. */
function findSharedNames(declared: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [path, names] of declared) {
    if (path in NOT_COUNTED) continue;
    for (const name of names) places.set(name, [...(places.get(name) ?? []), path]);
  }
  return Object.fromEntries(
    [...places].filter(([, paths]) => paths.length > 1).map(([name, paths]) => [name, paths.toSorted()]),
  );
}

const FILES = readSourceFiles();

/** By file, the names that it declares and exports. */
const DECLARED = new Map([...FILES].map(([path, text]) => [path, readDeclaredExports(path, text)]));

describe('an exported name', () => {
  it('is declared in one file only', () => {
    const expected = Object.fromEntries(Object.entries(SHARED).map(([name, shared]) => [name, shared.files]));
    expect(
      findSharedNames(DECLARED),
      'give each its own name (the glossary in docs/architecture.md), or say in this test why they share one',
    ).toEqual(expected);
  });

  it.each(Object.keys(NOT_COUNTED))('of %s stands elsewhere too, or its exemption goes', (path) => {
    const elsewhere = new Set([...DECLARED].flatMap(([other, names]) => (other === path ? [] : [...names])));
    expect([...(DECLARED.get(path) ?? [])].filter((name) => elsewhere.has(name))).not.toEqual([]);
  });

  it('of a namespace is never imported without it', () => {
    const path = 'packages/core/src/record/settings/table/setting-kinds.ts';
    const importing = [...FILES].filter(([from, text]) =>
      readImports(text).some(
        ({ specifier, isTypeOnly }) => !isTypeOnly && resolveImport(FILES, from, specifier) === path,
      ),
    );
    const bare = importing.filter(
      ([, text]) =>
        !/^import \* as \w+ from '[^']*setting-kinds\.js';$/m.test(text) ||
        /^import \{[^}]*\} from '[^']*setting-kinds\.js'/m.test(text),
    );
    expect(importing.length).toBeGreaterThan(0);
    expect(bare.map(([from]) => from)).toEqual([]);
  });
});

describe('the reader of exported names', () => {
  const read = (text: string): string[] => [...readDeclaredExports('x.ts', text)];

  it('reads what a file declares', () => {
    expect(
      read(
        'export type A = 1; export interface B {} export class C {} export function d() {} export async function* e() {}\n' +
          'export const f = 1, g = 2; const h = 1; export { h, h as i }; export const { j, k: l, ...m } = { j: 1, k: 2 };\n' +
          'export function n(a: string): void; export function n(a: unknown): void {}',
      ),
    ).toEqual(['A', 'B', 'C', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'l', 'm', 'n']);
  });

  it('passes over what comes from elsewhere, and what is a text', () => {
    expect(
      read(
        "import { a } from './a.js';\nexport { a };\nexport { b } from './b.js';\nexport * from './c.js';\nconst text = `\nexport function d() {}\n`;",
      ),
    ).toEqual([]);
  });

  it('finds one name in two files', () => {
    const declared = new Map([
      ['packages/a/src/x.ts', new Set(['same', 'own'])],
      ['packages/b/src/y.ts', new Set(['same'])],
    ]);
    expect(findSharedNames(declared)).toEqual({ same: ['packages/a/src/x.ts', 'packages/b/src/y.ts'] });
  });
});

describe('the glossary', () => {
  const [, section = ''] =
    /^## Words\n([\s\S]*?)(?=^## )/m.exec(readProjectFile('docs/architecture.md')) ?? [];
  const rows = [...section.matchAll(/^\| \*\*(.+?)\*\* \| .+ \| (.+) \|$/gm)];

  it('explains each word once, in the order of the alphabet', () => {
    const words = rows.map(([, word = '']) => word);
    expect(words.length).toBeGreaterThan(30);
    expect(words).toEqual([...new Set(words)].toSorted());
  });

  it('names only what the sources export', () => {
    const declared = new Set([...DECLARED.values()].flatMap((names) => [...names]));
    const named = rows.flatMap(([, , where = '']) =>
      [...where.matchAll(/`([A-Za-z]*[A-Z]\w*)`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !declared.has(name))).toEqual([]);
  });
});

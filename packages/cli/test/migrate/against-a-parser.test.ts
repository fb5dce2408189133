// The scanner against a parser of the language, on sources of this project: both must see the same texts, regular
// expressions, modules and calls. It is why `migrate` needs no parser (docs/decisions/2026-11-18-by-hand-or-by-library.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { findModuleLinks } from '../../src/migrate/program/module-links.js';
import { findCalls } from '../../src/migrate/program/program.js';
import { isCode } from '../../src/migrate/tokens/token.js';
import { tokenize } from '../../src/migrate/tokens/tokenize.js';
import { PROJECT_ROOT } from '../../../../test/package/project.js';

// Commands, pages with elements, and programs as users write them.
const FOLDERS = [
  'packages/cli/src/terminal',
  'packages/inspector/src/page',
  'templates',
  'test/outsider/programs',
];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|mjs|js)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path)),
);

/** What one of the two sees in a file, each by where it begins. */
interface Seen {
  texts: number[];
  patterns: number[];
  modules: number[];
  /** By where the called name begins. */
  calls: number[];
}

const sorted = (places: Iterable<number>): number[] => [...places].toSorted((left, right) => left - right);

function parse(file: string, source: string): Seen {
  const { program, errors } = parseSync(file, source);
  expect(errors, file).toEqual([]);
  const seen: Seen = { texts: [], patterns: [], modules: [], calls: [] };
  const imported = new Set<string>();
  const called: { name: string; start: number }[] = [];
  const nameModule = (from: { type: string; start: number } | null): void => {
    if (from?.type === 'Literal') seen.modules.push(from.start + 1);
  };
  const noteCall = (callee: ESTree.CallExpression['callee']): void => {
    if (callee.type === 'Identifier') called.push(callee);
    if (callee.type === 'ParenthesizedExpression' || callee.type === 'TSAsExpression')
      noteCall(callee.expression);
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) seen.patterns.push(node.start);
      else if (typeof node.value === 'string') seen.texts.push(node.start);
    },
    ImportDeclaration: ({ source: from, specifiers }) => {
      nameModule(from);
      for (const each of specifiers)
        if (each.type !== 'ImportNamespaceSpecifier') imported.add(each.local.name);
    },
    ExportNamedDeclaration: ({ source: from }) => nameModule(from),
    ExportAllDeclaration: ({ source: from }) => nameModule(from),
    ImportExpression: ({ source: from }) => nameModule(from),
    TSImportType: ({ source: from }) => nameModule(from),
    CallExpression: ({ callee }) => noteCall(callee),
    NewExpression: ({ callee }) => noteCall(callee),
  }).visit(program);
  seen.calls = called.filter(({ name }) => imported.has(name)).map(({ start }) => start);
  return seen;
}

function scan(file: string, source: string): Seen {
  const { tokens, problem } = tokenize(source, { jsx: !file.endsWith('.ts') });
  expect(problem, file).toBeUndefined();
  const code = tokens.filter(isCode);
  const links = findModuleLinks(code, []);
  const names = links.flatMap((link) => (link.kind === 'import' ? link.names : []));
  const locals = new Map(names.map(({ local }) => [local, local]));
  const program = { code, links, locals, namespaces: new Set<string>(), problem };
  const calls = [...locals.keys()].flatMap((name) =>
    findCalls(program, name).map((open) => {
      let at = open - 1;
      while (code[at]?.text !== name) at -= 1;
      return code[at]?.start ?? -1;
    }),
  );
  const startsOf = (kind: string): number[] =>
    tokens.filter((token) => token.kind === kind).map(({ start }) => start);
  const modules = links.map(({ start }) => start);
  return { texts: startsOf('string'), patterns: startsOf('regex'), modules, calls };
}

it.each(files)('%s is read as a parser reads it', (file) => {
  const source = readFileSync(join(PROJECT_ROOT, file), 'utf8');
  const [wanted, seen] = [parse(file, source), scan(file, source)];
  for (const kind of Object.keys(wanted) as (keyof Seen)[]) {
    const places = { [kind]: sorted(seen[kind]) };
    expect(places).toEqual({ [kind]: sorted(wanted[kind]) });
  }
});

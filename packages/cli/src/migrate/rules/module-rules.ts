// Rules about what a program takes from the official package: entry points, names, and paths of files inside it.
import { stringValue } from '../tokens/string-value.js';
import { isOfficial, OFFICIAL_PACKAGE, replacementFor } from '../program/official-package.js';
import type { Program } from '../program/program.js';
import type { MigrationRule } from './rule.js';

// What to use instead of names that this package does not export.
const INSTEAD = new Map([
  ['default', 'Import the names you use, or the whole module with "import * as".'],
  ['unstable_v2_createSession', 'Use openSession().'],
  ['unstable_v2_resumeSession', 'Use openSession() with the option "resume".'],
  ['unstable_v2_prompt', 'Use run().'],
  ['SDKSession', 'Use the type Session of openSession().'],
]);

const MISSING_ENTRY: MigrationRule = {
  id: 'missing-entry',
  weight: 'breaks',
  section: 'entry-points-that-do-not-exist',
  why: 'Inboard does not have this entry point, which is for services of the official vendor or for files inside its package.',
  advice: 'Keep the official package for this part of your program; both can be installed side by side.',
  find: ({ links }) =>
    links
      .filter(({ specifier }) => replacementFor(specifier) === undefined && !isCliFile(specifier))
      .map(({ specifier, start }) => ({
        offset: start,
        what: `"${specifier}" has no counterpart and is left as it is.`,
      })),
};

const MISSING_NAME: MigrationRule = {
  id: 'missing-name',
  weight: 'breaks',
  section: 'names-that-are-missing',
  why: 'Inboard does not export this name, so the module or the type check fails.',
  advice: 'Remove it, or keep the official package for this part of your program.',
  find: (program, { isExported }) =>
    listTakenNames(program)
      .filter(({ entryPoint, name }) => isExported(entryPoint, name) === false)
      .map(({ entryPoint, name, offset }) => ({
        offset,
        what: `"${name}" is not exported by "${entryPoint}".`,
        advice: isExported('inboard', name) ? `Import it from "inboard".` : INSTEAD.get(name),
      })),
};

const TRANSPORT_TYPE: MigrationRule = {
  id: 'transport-type',
  weight: 'differs',
  section: 'the-transport-type',
  why: 'Both packages have a type of this name, for different things; only Inboard has an option that takes one.',
  advice: 'Compare the members you use with the type Transport of inboard.',
  find: (program) =>
    listTakenNames(program)
      .filter(({ name }) => name === 'Transport')
      .map(({ offset }) => ({ offset, what: '"Transport" is another interface in Inboard.' })),
};

const CLI_IN_PACKAGE: MigrationRule = {
  id: 'cli-in-package',
  weight: 'breaks',
  section: 'finding-the-cli',
  why: 'Inboard does not include a CLI; it starts the one that is installed.',
  advice:
    'Leave "pathToClaudeCodeExecutable" out and install @anthropic-ai/claude-code, or give the path of your CLI.',
  mentions: [`${OFFICIAL_PACKAGE}/cli`],
  find: ({ code }) =>
    code.flatMap((token) => {
      const text = stringValue(token);
      if (text === undefined || !isCliFile(text)) return [];
      return [{ offset: token.start, what: `"${text}" is a file of the official package.` }];
    }),
};

const PACKAGE_NAME_AS_TEXT: MigrationRule = {
  id: 'package-name-as-text',
  weight: 'know',
  section: 'the-package-name-in-other-places',
  why: 'Only code that loads a module is changed, and it is not known what this text is for.',
  advice: 'If it configures a bundler, a test or a linter, change it to "inboard" by hand.',
  find: ({ code, links }) => {
    const changed = new Set(links.map(({ start }) => start - 1));
    return code.flatMap((token) => {
      const text = stringValue(token);
      if (text === undefined || !isOfficial(text) || isCliFile(text) || changed.has(token.start)) return [];
      return [{ offset: token.start, what: `The text "${text}" is left as it is.` }];
    });
  },
};

function isCliFile(text: string): boolean {
  return text.endsWith(`${OFFICIAL_PACKAGE}/cli.js`) || text.endsWith(`${OFFICIAL_PACKAGE}/cli`);
}

interface TakenName {
  entryPoint: string;
  name: string;
  offset: number;
}

/** Every name that a program takes from an entry point that has a counterpart here. */
function listTakenNames({ links, code, namespaces }: Program): TakenName[] {
  const direct = links.flatMap(({ specifier, names }) => {
    const entryPoint = replacementFor(specifier);
    if (entryPoint === undefined) return [];
    return names.map(({ imported, start }) => ({ entryPoint, name: imported, offset: start }));
  });
  // Members of a whole module. All are looked up in one entry point, because most programs import only one.
  const entryPoint = replacementFor(links.find(({ namespace }) => namespace)?.specifier ?? '');
  if (entryPoint === undefined) return direct;
  const members = code.flatMap((token, index) => {
    const isMember = code[index - 1]?.text === '.' && namespaces.has(code[index - 2]?.text ?? '');
    if (!isMember || token.kind !== 'name' || code[index - 3]?.text === '.') return [];
    return [{ entryPoint, name: token.text, offset: token.start }];
  });
  const seen = new Set<string>();
  return [...direct, ...members.filter(({ name }) => !seen.has(name) && seen.add(name))];
}

/** The rules about modules and names. */
export const MODULE_RULES: readonly MigrationRule[] = [
  MISSING_ENTRY,
  MISSING_NAME,
  TRANSPORT_TYPE,
  CLI_IN_PACKAGE,
  PACKAGE_NAME_AS_TEXT,
];

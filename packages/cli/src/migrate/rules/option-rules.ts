// Rules about options that are written out in a program. The checks of query() decide which options are wrong.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkOptions } from '@inboard/core/options/check/check-options.js';
import { findArgumentProblems } from '@inboard/core/options/check/argument-problems.js';
import { findOptionRow } from '@inboard/core/options/rows/option-rows.js';
import { findEntry, type ObjectLiteral } from '../program/given-options.js';
import type { Literal, LiteralEntry } from '../program/literals.js';
import type { Program } from '../program/program.js';
import type { RuleFinding, MigrationRule, RuleContext } from './rule.js';

/** Options of a program, as far as they could be read. */
interface ReadOptions {
  literal: ObjectLiteral;
  options: Record<string, unknown>;
  /** The names of options whose value is not written out. */
  unknown: ReadonlySet<string>;
}

/** Stands for a value that cannot be known. It is not `undefined`, because a program may write out that value, too. */
const UNKNOWN = Symbol('unknown');

function valueOf(literal: Literal): unknown {
  if (literal.kind === 'value') return literal.value;
  if (literal.kind === 'function') return () => undefined;
  if (literal.kind === 'list') {
    const items = literal.items.map(valueOf);
    return literal.hasSpread || items.includes(UNKNOWN) ? UNKNOWN : items;
  }
  if (literal.kind !== 'object' || literal.hasSpread) return UNKNOWN;
  const entries = literal.entries.map(({ key, value }) => [key, valueOf(value)] as const);
  return entries.some(([, value]) => value === UNKNOWN) ? UNKNOWN : Object.fromEntries(entries);
}

function readOptions(literal: ObjectLiteral): ReadOptions {
  const unknown = new Set<string>();
  const options: Record<string, unknown> = {};
  for (const { key, value, isFinal } of literal.entries) {
    const read = isFinal ? valueOf(value) : UNKNOWN;
    if (read === UNKNOWN || key === '__proto__') unknown.add(key);
    else options[key] = read;
  }
  return { literal, options, unknown };
}

/** The errors that query() would throw for options. Errors that depend on an option that cannot be read are left out. */
function judge({ literal, options, unknown }: ReadOptions): { names: readonly string[]; message: string }[] {
  const problems: { names: readonly string[]; message: string }[] = [];
  const given = { ...options };
  // The check reports all faults in one error, but each fault has its own place in the program. So the first option of
  // the error is removed, and the rest is checked again.
  for (let rounds = Object.keys(given).length; rounds >= 0; rounds -= 1) {
    const error = findError(given);
    if (!error) return problems;
    const [first] = error.options;
    const isSure =
      error.options.every((name) => !unknown.has(name)) && (!literal.hasSpread || error.options.length === 1);
    if (isSure) problems.push({ names: error.options, message: alone(error, given) });
    if (first === undefined || !(first in given)) return problems;
    delete given[first];
  }
  return problems;
}

function findError(options: Record<string, unknown>): InvalidOptionsError | undefined {
  try {
    checkOptions(options);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error;
    throw error;
  }
}

// The message for the first option alone, if the error is about several options.
function alone(error: InvalidOptionsError, given: Record<string, unknown>): string {
  const [first] = error.options;
  if (first === undefined || error.options.length === 1) return error.message;
  return findError({ [first]: given[first] })?.message ?? error.message;
}

function placeOf({ literal }: ReadOptions, name: string): number {
  return findEntry(literal, name)?.keyStart ?? literal.entries[0]?.keyStart ?? 0;
}

function isSplit({ options }: ReadOptions, name: string): boolean {
  const value = options[name];
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'string') &&
    findArgumentProblems({ [name]: value }).length > 0
  );
}

function findRefused(context: RuleContext, wantsSplit: boolean): RuleFinding[] {
  return context.options.literals
    .map(readOptions)
    .flatMap((read) =>
      judge(read).flatMap(({ names: [name = ''], message }) =>
        isSplit(read, name) === wantsSplit ? [{ offset: placeOf(read, name), what: message }] : [],
      ),
    );
}

const REFUSED_OPTION: MigrationRule = {
  id: 'refused-option',
  weight: 'breaks',
  section: 'options-that-are-refused',
  why: 'query() throws an InvalidOptionsError before it starts anything, where the official SDK starts a CLI that fails or ignores the option.',
  advice: 'Correct the option; the message says how.',
  find: (_program, context) => findRefused(context, false),
};

const LIST_ENTRY: MigrationRule = {
  id: 'list-entry',
  weight: 'breaks',
  section: 'entries-with-commas',
  why: 'The CLI would read this entry as several, so a rule would be wider or narrower than it looks.',
  advice: 'Give each rule its own entry.',
  find: (_program, context) => findRefused(context, true),
};

const UNKNOWN_OPTION: MigrationRule = {
  id: 'unknown-option',
  weight: 'know',
  section: 'options-that-have-no-effect',
  why: 'Neither SDK has this option; Inboard says so with a warning.',
  advice: 'Remove it.',
  find: (_program, context) =>
    context.options.literals.flatMap((literal) =>
      literal.entries
        .filter(({ key }) => /^[a-z]\w*$/i.test(key) && findOptionRow(key) === undefined)
        .map(({ key, keyStart }) => ({ offset: keyStart, what: explainUnknown(key) })),
    ),
};

function explainUnknown(key: string): string {
  const [warning] = checkOptions({ [key]: true });
  return warning?.message ?? `There is no option "${key}".`;
}

const RELATIVE_CLI_PATH: MigrationRule = {
  id: 'relative-cli-path',
  weight: 'differs',
  section: 'a-relative-path-to-the-cli',
  why: 'A relative path is resolved from where the process was started, not from "cwd", which may be a repository that contains a program of that name.',
  advice: 'Give an absolute path.',
  find: (_program, { options }) =>
    entriesOf(options.literals, 'pathToClaudeCodeExecutable').flatMap(({ value, keyStart }) => {
      const path = value.kind === 'value' && typeof value.value === 'string' ? value.value : '';
      // Both SDKs look up a bare name on the PATH.
      if (!/^\.{1,2}[\\/]|^[^\\/]+[\\/]/.test(path) || /^[a-z]:/i.test(path)) return [];
      return [{ offset: keyStart, what: `"${path}" is relative.` }];
    }),
};

const STREAM_CLOSE_TIMEOUT: MigrationRule = {
  id: 'stream-close-timeout',
  weight: 'know',
  section: 'workarounds-you-can-drop',
  why: 'Input stays open for as long as anything may still need it, so there is no timeout to raise.',
  advice: 'Remove the variable.',
  mentions: ['CLAUDE_CODE_STREAM_CLOSE_TIMEOUT'],
  find: ({ code }: Program) =>
    code
      .filter(
        ({ text, kind }) => kind !== 'template' && /^['"]?CLAUDE_CODE_STREAM_CLOSE_TIMEOUT['"]?$/.test(text),
      )
      .slice(0, 1)
      .map(({ start }) => ({ offset: start, what: 'CLAUDE_CODE_STREAM_CLOSE_TIMEOUT has no effect.' })),
};

function entriesOf(literals: readonly ObjectLiteral[], key: string): LiteralEntry[] {
  return literals.flatMap((literal) => findEntry(literal, key) ?? []);
}

/** The rules about options. */
export const OPTION_RULES: readonly MigrationRule[] = [
  REFUSED_OPTION,
  LIST_ENTRY,
  UNKNOWN_OPTION,
  RELATIVE_CLI_PATH,
  STREAM_CLOSE_TIMEOUT,
];

// Reads the files of a program and finds what must be changed in them, and what will behave differently. It writes
// nothing.
import { join, isAbsolute, basename } from 'node:path';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { UnreadFile } from './find-files.js';
import { createNameLookup } from './own-names.js';
import { readPackageFile, type OfficialDependency } from './package-file.js';
import { findGivenOptions } from './program/given-options.js';
import { OFFICIAL_PACKAGE, replacementFor } from './program/official-package.js';
import { readProgram } from './program/program.js';
import { RENAMED_RULES } from './rules/renamed-rules.js';
import type { RuleFinding, MigrationRule, RuleContext, Weight } from './rules/rule.js';
import { MIGRATION_RULES, PACKAGE_RULES } from './rules/rules.js';
import { readSourceFile, type Change, type SourceFile } from './source-file.js';
import { createPositions, type Position } from './tokens/positions.js';

/** A difference between the official SDK and this one, and where the program meets it. */
export interface Finding extends Position {
  file: string;
  rule: string;
  weight: Weight;
  what: string;
  why: string;
  advice: string;
  section: string;
}

/** A file, and the changes that move it to this package. */
export interface ChangedFile {
  file: string;
  source: SourceFile;
  changes: (Change & Position)[];
}

/** What was found in a program: its use of the official SDK, the changes that move it, and the differences. */
export interface Examination {
  /** How many files were read. */
  read: number;
  /** How many of them name the official package as a module. */
  using: number;
  findings: Finding[];
  changed: ChangedFile[];
  unreadable: UnreadFile[];
  dependencies: OfficialDependency[];
  /** The number of calls whose options could not be read completely, because they are put together elsewhere. */
  unreadOptions: number;
}

const MENTIONS = [OFFICIAL_PACKAGE, ...MIGRATION_RULES.flatMap(({ mentions }) => mentions ?? [])];

/** Examines files. Their paths are absolute, or relative to `cwd`. */
export async function examineFiles(files: readonly string[], cwd: string): Promise<Examination> {
  const done: Examination = {
    read: 0,
    using: 0,
    findings: [],
    changed: [],
    unreadable: [],
    dependencies: [],
    unreadOptions: 0,
  };
  const isExported = createNameLookup();
  for (const file of files) {
    try {
      const source = await readSourceFile(isAbsolute(file) ? file : join(cwd, file));
      done.read += 1;
      if (!MENTIONS.some((mention) => source.text.includes(mention))) continue;
      if (basename(file) === 'package.json') examinePackage(file, source.text, done);
      else examineProgram(file, source, done, isExported);
    } catch (error) {
      done.unreadable.push({ file, reason: messageOf(error) });
    }
  }
  done.findings.sort(
    (left, right) =>
      compareTexts(left.file, right.file) || left.line - right.line || left.column - right.column,
  );
  return withoutStrangers(done);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

// Some rules only look for texts. In a program that does not use the official SDK, such a text means something else. What the rules about
// this package's own names have found stays.
function withoutStrangers(done: Examination): Examination {
  if (done.using > 0 || done.dependencies.length > 0) return done;
  const own = new Set(RENAMED_RULES.map(({ id }) => id));
  return { ...done, findings: done.findings.filter(({ rule }) => own.has(rule)) };
}

function examineProgram(
  file: string,
  source: SourceFile,
  done: Examination,
  isExported: RuleContext['isExported'],
): void {
  const program = readProgram(source.text, file);
  const positionOf = createPositions(source.text);
  if (program.problem) {
    const { offset, message } = program.problem;
    done.unreadable.push({ file, ...positionOf(offset), reason: message });
    return;
  }
  const isUsing = program.links.length > 0;
  if (isUsing) done.using += 1;
  const options = findGivenOptions(program);
  done.unreadOptions += options.unread;
  for (const rule of MIGRATION_RULES) {
    if (!isUsing && !rule.mentions && rule.id !== 'package-name-as-text') continue;
    for (const found of rule.find(program, { options, isExported })) {
      done.findings.push(toFinding(file, rule, found, positionOf));
    }
  }
  const changes = program.links.flatMap(({ specifier, start }) => {
    const to = replacementFor(specifier);
    // A specifier with escapes is written differently in the source, so it cannot be replaced by position.
    if (to === undefined || !source.text.startsWith(specifier, start)) return [];
    return [{ start, from: specifier, to, ...positionOf(start) }];
  });
  if (changes.length > 0) done.changed.push({ file, source, changes });
}

function examinePackage(file: string, text: string, done: Examination): void {
  const { dependencies, patches } = readPackageFile(file, text);
  const positionOf = createPositions(text);
  done.dependencies.push(...dependencies);
  for (const { field, range, offset } of dependencies) {
    const what = `"${field}" names ${OFFICIAL_PACKAGE} ${range}.`;
    done.findings.push(toFinding(file, PACKAGE_RULES.dependency, { offset, what }, positionOf));
  }
  for (const { offset, text: word } of patches) {
    const what = `"${word}" no longer traces your agents.`;
    done.findings.push(toFinding(file, PACKAGE_RULES.tracing, { offset, what }, positionOf));
  }
}

function toFinding(
  file: string,
  { id, weight, why, advice, section }: Omit<MigrationRule, 'find'>,
  found: RuleFinding,
  positionOf: (offset: number) => Position,
): Finding {
  return {
    file,
    ...positionOf(found.offset),
    rule: id,
    weight,
    what: found.what,
    why,
    advice: found.advice ?? advice,
    section,
  };
}

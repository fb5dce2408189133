// The report of `inboard migrate`, as text for people and as JSON for programs.
import { join } from 'node:path';
import { countOf } from '@inboard/core/util/message-of.js';
import { findOwnPackage } from '../tools-file/own-package.js';
import { styled } from '../terminal/styled-text.js';
import { createStyler, noteLine, printLine, type Terminal } from '../terminal/terminal.js';
import type { ChangedFile, Examination, Finding } from './examine.js';
import type { SkippedLink, UnreadFile } from './find-files.js';
import type { InstallLine } from './package-file.js';
import type { Weight } from './rules/rule.js';
import { applyChanges } from './source-file.js';

/** What the report contains besides the examination. */
export interface ReportFacts {
  mode: 'check' | 'dry-run' | 'write';
  skipped: readonly string[];
  links: readonly SkippedLink[];
  install: readonly InstallLine[];
  failed: readonly UnreadFile[];
}

const PAGE = 'coming-from-the-official-sdk.md';
const TITLES: Readonly<Record<Weight, string>> = {
  breaks: 'breaks',
  differs: 'behaves differently',
  know: 'good to know',
};
const COLOURS = { breaks: 'red', differs: 'yellow', know: 'cyan' } as const;
const WEIGHTS = Object.keys(TITLES) as Weight[];

/** The path of the guide whose sections the findings name. */
function findGuide(): string {
  const own = findOwnPackage();
  return own ? join(own.folder, 'docs', PAGE) : `docs/${PAGE}`;
}

/** How many differences there are of each weight. */
export function countWeights(findings: readonly Finding[]): Record<Weight, number> {
  const count = (weight: Weight): number => findings.filter((finding) => finding.weight === weight).length;
  return { breaks: count('breaks'), differs: count('differs'), know: count('know') };
}

/** The whole report as one value, for `--json`. */
export function toJsonReport(
  examined: Examination,
  { mode, skipped, links, install, failed }: ReportFacts,
): object {
  return {
    mode,
    guide: findGuide(),
    files: { read: examined.read, using: examined.using },
    summary: countWeights(examined.findings),
    findings: examined.findings,
    changes: examined.changed.flatMap(({ file, changes }) =>
      changes.map(({ line, column, from, to }) => ({ file, line, column, from, to })),
    ),
    unreadable: [...examined.unreadable, ...failed],
    unreadOptions: examined.unreadOptions,
    skippedFolders: skipped,
    skippedLinks: links,
    install,
  };
}

/** Prints the summary to the standard error, and everything else to the standard output. */
export function printReport(terminal: Terminal, examined: Examination, facts: ReportFacts): void {
  if (facts.mode !== 'check') for (const changed of examined.changed) printChanges(terminal, changed);
  for (const weight of WEIGHTS) {
    for (const finding of examined.findings.filter((each) => each.weight === weight))
      printFinding(terminal, finding);
  }
  for (const unread of [...examined.unreadable, ...facts.failed]) printUnread(terminal, unread);
  printSummary(terminal, examined, facts);
}

// Prints each changed line once, before and after, even if the package is named several times in it.
function printChanges(terminal: Terminal, { file, source, changes }: ChangedFile): void {
  const style = createStyler(terminal);
  const old = splitLines(source.text);
  const changed = splitLines(applyChanges(source.text, changes));
  for (const line of new Set(changes.map((change) => change.line))) {
    printLine(terminal, style('bold', `${file}:${line}`));
    printLine(terminal, style('red', `- ${(old[line - 1] ?? '').trim()}`));
    printLine(terminal, style('green', `+ ${(changed[line - 1] ?? '').trim()}`));
  }
  printLine(terminal);
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

function printFinding(terminal: Terminal, finding: Finding): void {
  const { file, line, column, weight, what, why, advice, section, rule } = finding;
  const style = createStyler(terminal);
  printLine(
    terminal,
    styled`${style('bold', `${file}:${line}:${column}`)} ${style(COLOURS[weight], TITLES[weight])}: ${what} ${style('dim', `[${rule}]`)}`,
  );
  printLine(terminal, `  Why: ${why}`);
  printLine(terminal, `  Do:  ${advice}`);
  printLine(terminal, style('dim', `  ${PAGE}#${section}`));
  printLine(terminal);
}

function printUnread(terminal: Terminal, { file, line, column, reason }: UnreadFile): void {
  const style = createStyler(terminal);
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  printLine(terminal, styled`${style('bold', place)} ${style('red', 'not read')}: ${reason}`);
  printLine(terminal);
}

function printSummary(
  terminal: Terminal,
  examined: Examination,
  { mode, skipped, links, install, failed }: ReportFacts,
): void {
  const { read, using, findings, changed, unreadable, unreadOptions } = examined;
  const note = (line: string): void => noteLine(terminal, line);
  if (read + unreadable.length === 0) note('No source file was found.');
  else
    note(
      `${countOf(read, 'file')} read; ${using} of them ${using === 1 ? 'uses' : 'use'} the official package.`,
    );
  const count = countWeights(findings);
  note(WEIGHTS.map((weight) => `${TITLES[weight]}: ${count[weight]}`).join(', ') + '.');
  const places = countOf(changed.flatMap(({ changes }) => changes).length, 'place');
  const files = countOf(changed.length, 'file');
  if (changed.length > 0) {
    if (mode === 'write') note(`Changed ${places} in ${files}.`);
    else note(`"inboard migrate" changes ${places} in ${files}.`);
  }
  if (unreadOptions > 0) {
    note(
      `The options of ${countOf(unreadOptions, 'call')} are built elsewhere, and were not read completely.`,
    );
  }
  const lost = unreadable.length + failed.length;
  if (lost > 0) note(`${countOf(lost, 'file')} could not be read or changed; see above.`);
  if (skipped.length > 0)
    note(
      `Left out: ${skipped.slice(0, 8).join(', ')}${skipped.length > 8 ? `, and ${skipped.length - 8} more` : ''}.`,
    );
  for (const { file, target } of links)
    note(`Left alone: ${file} is a symbolic link to ${target}, which is not part of this program.`);
  if (findings.length > 0) note(`Guide: ${findGuide()}`);
  for (const { folder, command } of install)
    note(`Install${folder === '.' ? '' : ` in ${folder}`}: ${command}`);
}

// `inboard migrate`: reports what will differ for a program, and moves the program to this package.
import { messageOf } from '@inboard/core/util/message-of.js';
import { readSwitch, type CommandInput } from '../command.js';
import { printJson } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { examineFiles, type ChangedFile } from './examine.js';
import { findFiles, type UnreadFile } from './find-files.js';
import { writeInstallLines } from './package-file.js';
import { countWeights, printReport, toJsonReport, type ReportFacts } from './report.js';
import { applyChanges, writeSourceFile } from './source-file.js';

/** Checks or moves a program. The exit code is 1 if something breaks, or if a file could not be read or written. */
export async function runMigrate(input: CommandInput): Promise<number> {
  const { terminal, args } = input;
  if (readSwitch(input, 'check') && readSwitch(input, 'dry-run')) {
    throw new UsageError('"--check" changes nothing anyway. Leave out one of "--check" and "--dry-run".');
  }
  const mode = readSwitch(input, 'check') ? 'check' : readSwitch(input, 'dry-run') ? 'dry-run' : 'write';
  const { files, skipped, links, unreadable } = await findFiles(args.length > 0 ? args : ['.'], terminal.cwd);
  const examined = await examineFiles(files, terminal.cwd);
  examined.unreadable.push(...unreadable);
  const failed = mode === 'write' ? await writeAll(examined.changed) : [];
  const install = writeInstallLines(examined.dependencies, terminal.cwd);
  const facts: ReportFacts = { mode, skipped, links, install, failed };
  if (readSwitch(input, 'json')) printJson(terminal, toJsonReport(examined, facts), 2);
  else printReport(terminal, examined, facts);
  const isLost = examined.unreadable.length + failed.length > 0;
  return isLost || countWeights(examined.findings).breaks > 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

/** Writes every file that changes. Returns the files that could not be written. */
async function writeAll(changed: readonly ChangedFile[]): Promise<UnreadFile[]> {
  const failed: UnreadFile[] = [];
  for (const { file, source, changes } of changed) {
    try {
      await writeSourceFile(source, applyChanges(source.text, changes));
    } catch (error) {
      failed.push({ file, reason: messageOf(error) });
    }
  }
  return failed;
}

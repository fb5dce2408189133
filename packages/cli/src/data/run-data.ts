// `inboard data`: shows what belongs to sessions, and deletes it after the user has confirmed it.
import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { createFileApprovalStore, deleteSessionData, findSessionData } from '@inboard/inboard/index.js';
import type {
  DeletedSessionData,
  DeleteSessionDataOptions,
  FileApprovalStoreOptions,
  SessionChoice,
  SessionDataItem,
  SessionDataProblem,
} from '@inboard/inboard/types.js';
import { isSessionId } from '@inboard/core/record/history/arguments.js';
import { findConfigFolder } from '@inboard/core/record/history/folders/project-folders.js';
import { countOf } from '@inboard/core/util/message-of.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import {
  askLine,
  isInteractive,
  noteLine,
  printJson,
  printLine,
  type Terminal,
} from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';

/** Finds the data of sessions, or deletes it. */
export async function runData(input: CommandInput): Promise<number> {
  const [action = ''] = input.args;
  if (action !== 'find' && action !== 'delete')
    throw new UsageError(`There is no "data ${action}". Use "data find" or "data delete".`);
  refuseEmpty(input);
  const choice = readChoice(input);
  noteMissing(input);
  const options = readPlaces(input);
  return action === 'find' ? await find(input, choice, options) : await remove(input, choice, options);
}

async function find(
  { terminal, values }: CommandInput,
  choice: SessionChoice,
  options: DeleteSessionDataOptions,
): Promise<number> {
  const found = await findSessionData(choice, options);
  if (values['json'] === true) printJson(terminal, found, 2);
  else {
    printItems(terminal, found.items);
    printLine(terminal, sumUp(found.items, found.sessionIds));
    noteProblems(terminal, found.problems);
    if (found.items.length === 0) noteWhereItLooked(terminal);
  }
  return found.problems.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function remove(
  input: CommandInput,
  choice: SessionChoice,
  options: DeleteSessionDataOptions,
): Promise<number> {
  const { terminal } = input;
  const isJson = readSwitch(input, 'json');
  const isAsked = !readSwitch(input, 'yes');
  if (isAsked && (isJson || !isInteractive(terminal))) {
    throw new UsageError(
      'There is nobody to ask here. Check with "inboard data find", then repeat with --yes.',
    );
  }
  if (isAsked) {
    const plan = await deleteSessionData(choice, { ...options, dryRun: true });
    printReport(terminal, plan);
    if (plan.deleted.length === 0) {
      if (plan.kept.length === 0) noteWhereItLooked(terminal);
      return endOf(plan);
    }
    const question = `Delete ${sumUp(plan.deleted, plan.sessionIds)} This cannot be undone. (yes/no) `;
    if ((await askLine(terminal, question, terminal.signal))?.trim() !== 'yes') {
      noteLine(terminal, 'Nothing was deleted.');
      return EXIT_CODES.failed;
    }
  }
  const report = await deleteSessionData(choice, options);
  if (isJson) printJson(terminal, report, 2);
  else {
    if (!isAsked) printReport(terminal, report);
    printLine(terminal, `Deleted: ${sumUp(report.deleted, report.sessionIds)}`);
    if (report.deleted.length + report.kept.length === 0) noteWhereItLooked(terminal);
  }
  return endOf(report);
}

// An empty value usually comes from a shell variable that is not set. An empty path would mean the current folder.
function refuseEmpty(input: CommandInput): void {
  for (const name of ['tag', 'dir', 'traces', 'approvals']) {
    if (readTexts(input, name).some((value) => value.trim() === ''))
      throw new UsageError(`--${name} needs a value that is not empty.`);
  }
}

// Tells the user about paths that do not exist, because a misspelt path would look like one that has no data of the
// session. This is not a failure: when the user repeats a deletion, the files were deleted the first time. A missing
// folder of traces is not noted here, because the report lists it as a problem.
function noteMissing(input: CommandInput): void {
  for (const name of ['traces', 'approvals']) {
    for (const path of readTexts(input, name)) {
      if (name === 'traces' && extname(path) === '') continue;
      if (!existsSync(resolve(input.terminal.cwd, path)))
        noteLine(input.terminal, `--${name} ${path}: no such file or folder.`);
    }
  }
}

function readChoice(input: CommandInput): SessionChoice {
  const ids = input.args.slice(1);
  const [tag, dir] = [readText(input, 'tag'), readText(input, 'dir')];
  const hasFilter = tag !== undefined || dir !== undefined;
  if (hasFilter === ids.length > 0)
    throw new UsageError('Give session ids, or --tag or --dir, but not both.');
  const wrong = ids.findIndex((id) => !isSessionId(id));
  if (wrong >= 0)
    throw new UsageError(
      `"${ids[wrong]}" is not the id of a session. It is a UUID, as in the session_id of its messages.`,
    );
  return hasFilter ? { tag, dir: dir === undefined ? undefined : resolve(input.terminal.cwd, dir) } : ids;
}

function readPlaces(input: CommandInput): DeleteSessionDataOptions {
  const { env, cwd } = input.terminal;
  const paths = (name: string): string[] => readTexts(input, name).map((path) => resolve(cwd, path));
  const traces = paths('traces');
  return {
    env,
    traces: traces.length > 0 ? traces : undefined,
    approvals: paths('approvals').map((folder) => createFileApprovalStore(folder, trustOwner(folder))),
    copies: readSwitch(input, 'copies'),
    sharedFiles: readSwitch(input, 'shared-files') ? 'delete' : 'keep',
  };
}

/**
 * Trusts the owner of a folder, so that root can delete the data of other users. This is safe, because questions are
 * only shown and deleted here.
 */
function trustOwner(folder: string): FileApprovalStoreOptions {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? {} : { trustedUids: [found.uid] };
}

function printReport(terminal: Terminal, { deleted, kept, problems }: DeletedSessionData): void {
  printItems(terminal, deleted);
  for (const { kind, place, message } of kept) noteLine(terminal, `kept: ${kind}  ${place}: ${message}`);
  noteProblems(terminal, problems);
}

function printItems(terminal: Terminal, items: readonly SessionDataItem[]): void {
  const width = Math.max(0, ...items.map(({ kind }) => kind.length));
  for (const { sessionId, kind, place, bytes, sharedWith } of items) {
    const size = bytes === undefined ? '' : `${bytes} bytes`;
    const shared = sharedWith ? `  (with ${countOf(sharedWith.length, 'other session')})` : '';
    printLine(
      terminal,
      `${sessionId.slice(0, 8)}  ${kind.padEnd(width)}  ${size.padStart(14)}  ${place}${shared}`,
    );
  }
}

function noteProblems(terminal: Terminal, problems: readonly SessionDataProblem[]): void {
  for (const { place, message } of problems) noteLine(terminal, `not checked: ${place}: ${message}`);
}

// If nothing is found, CLAUDE_CONFIG_DIR may be wrong, so the user is told where the command looked.
function noteWhereItLooked(terminal: Terminal): void {
  const folder = findConfigFolder(terminal.env);
  noteLine(
    terminal,
    `Nothing was found. CLAUDE_CONFIG_DIR sets the CLI's folder; this time it was ${folder}.`,
  );
}

function sumUp(items: readonly SessionDataItem[], sessionIds: readonly string[]): string {
  const bytes = items.reduce((sum, item) => sum + (item.bytes ?? 0), 0);
  return `${countOf(items.length, 'item')} of ${countOf(sessionIds.length, 'session')}, ${bytes} bytes.`;
}

function endOf({ kept, problems }: DeletedSessionData): number {
  return kept.length === 0 && problems.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

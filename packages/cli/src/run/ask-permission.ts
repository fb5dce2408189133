// Asks the person at the terminal whether a tool may run. If several tools ask, the questions come one after the other.
import { randomUUID } from 'node:crypto';
import { allow, answerQuestions, deny } from '@inboard/core/answer/permissions/decisions.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
import { dropTyped } from '../terminal/drop-typed.js';
import { revealText } from '../terminal/reveal-text.js';
import { styled } from '../terminal/styled-text.js';
import { askLine, createStyler, isInteractive, noteLine, type Terminal } from '../terminal/terminal.js';
import { cutRows, layOutInput, layOutText, type ScreenSize } from './question-layout.js';
import { findReach, type PermissionReach } from '@inboard/core/answer/permissions/permission-reach.js';

/**
 * Creates a permission callback that asks at the terminal. If nobody is at a terminal, it denies and prints a note, or
 * leaves the question to the inspector's page if the inspector is open. If there is both a terminal and a page, the first
 * answer counts. With `allowsAll`, only the model's own questions are asked.
 */
export function createAsker(terminal: Terminal, allowsAll: boolean, isInspected = false): CanUseTool {
  const always = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  return async (name, input, options) => {
    const isQuestion = name === 'AskUserQuestion';
    if (allowsAll && !isQuestion) return allow();
    if (!isInteractive(terminal))
      return isInspected ? leaveToPage(terminal, name) : refuseUnasked(terminal, name);
    const turn = last.then(() => {
      // The question is already over, for example because it was answered on the page. So the result is not used.
      if (options.signal.aborted) return null;
      if (isQuestion) return askQuestions(terminal, input, options.signal);
      return always.has(name) || always.has(nameCall(name, input))
        ? allow()
        : ask({ terminal, name, input, options, always });
    });
    last = turn.catch(() => {});
    return turn;
  };
}

// A name for a call with this input. An input that cannot be written as JSON gets a random name, so that "always" never
// applies to it.
function nameCall(name: string, input: Record<string, unknown>): string {
  try {
    return `${name} ${JSON.stringify(input)}`;
  } catch {
    return `${name} ${randomUUID()}`;
  }
}

function refuseUnasked(terminal: Terminal, name: string): PermissionResult {
  const shown = revealName(name);
  noteLine(
    terminal,
    `Denied ${shown}: there is nobody to ask here. Allow it with --allow ${shown}, or everything with --yes.`,
  );
  return deny('The user cannot be asked for permission in this session.');
}

function leaveToPage(terminal: Terminal, name: string): null {
  noteLine(terminal, `${revealName(name)} is waiting for an answer on the inspector's page.`);
  return null;
}

interface Question {
  terminal: Terminal;
  name: string;
  input: Record<string, unknown>;
  options: CanUseToolOptions;
  always: Set<string>;
}

async function ask({ terminal, name, input, options, always }: Question): Promise<PermissionResult> {
  const { signal } = options;
  const reach = findReach(name, options);
  await dropTyped(terminal, signal);
  const { all, isCut } = showQuestion({ terminal, name, input, options, reach });
  const keys = [...(isCut ? ['v(iew all)'] : []), 'y(es)', 'n(o)', ...(reach ? ['a(lways)'] : [])];
  for (;;) {
    const answer = await askLine(terminal, `Allow it? ${keys.join(', ')}: `, signal);
    if (answer === undefined && signal.aborted) noteLine(terminal, '\nAnswered elsewhere, or withdrawn.');
    switch (answer?.trim().toLowerCase()) {
      case 'a':
      case 'always':
        if (!reach) continue;
        always.add(reach.isWholeTool ? name : nameCall(name, input));
        return reach.updates.length > 0 ? allow({ remember: reach.updates }) : allow();
      case 'v':
      case 'view':
      case 'view all':
        await showPages(terminal, all, signal);
        continue;
      case 'y':
      case 'yes':
        return allow();
      case 'n':
      case 'no':
      case undefined:
        return deny('The user said no.');
    }
  }
}

/** Shows the question. Returns all its rows, and whether some of them were not shown. */
function showQuestion({
  terminal,
  name,
  input,
  options,
  reach,
}: Omit<Question, 'always'> & { reach: PermissionReach | undefined }): { all: string[]; isCut: boolean } {
  const style = createStyler(terminal, 'stderr');
  const screen = sizeOf(terminal);
  const { shown, all, hidden } = layOutInput(input, screen);
  noteLine(terminal, styled`${style('yellow', 'The model wants to run')} ${style('bold', revealName(name))}`);
  for (const row of shown) noteLine(terminal, row);
  const reasons = listReasons(options).map((text) => layOutText(text, screen));
  if (reasons.length > 0) noteLine(terminal, 'Why the CLI asks:');
  const words = (reach?.words ?? []).map((text) => layOutText(text, screen));
  const cuts = [cutRows(reasons.flat(), 3), cutRows(words.flat(), 6)];
  for (const row of cuts[0]?.shown ?? []) noteLine(terminal, row);
  if (reach) {
    noteLine(
      terminal,
      '"Always" allows the following until this run ends, and changes no settings of yours or of the project:',
    );
    for (const row of cuts[1]?.shown ?? []) noteLine(terminal, row);
  }
  if (hidden > 0) {
    noteLine(
      terminal,
      style('yellow', `${hidden} characters of the input are not shown. Press v to see them.`),
    );
  }
  const more = [
    ...(reasons.length > 0 ? ['Why the CLI asks:', ...reasons.flat()] : []),
    ...(words.length > 0 ? ['What "always" allows:', ...words.flat()] : []),
  ];
  return { all: [...all, ...more], isCut: hidden > 0 || cuts.some((cut) => cut.hidden > 0) };
}

function listReasons({ decisionReason, blockedPath, agentID }: CanUseToolOptions): string[] {
  return [
    decisionReason ?? '',
    blockedPath === undefined ? '' : `It would touch ${blockedPath}`,
    agentID === undefined ? '' : `A subagent asks (${agentID})`,
  ].filter(Boolean);
}

/** Shows rows screen by screen, so that a long text cannot scroll its beginning out of sight. */
async function showPages(terminal: Terminal, rows: readonly string[], signal: AbortSignal): Promise<void> {
  const page = Math.max(5, sizeOf(terminal).rows - 2);
  for (let from = 0; from < rows.length; from += page) {
    const to = Math.min(rows.length, from + page);
    for (const row of rows.slice(from, to)) noteLine(terminal, row);
    if (to === rows.length) return;
    const question = `Rows ${from + 1} to ${to} of ${rows.length}. Enter continues, q goes back: `;
    const answer = await askLine(terminal, question, signal);
    if (answer === undefined || answer.trim().toLowerCase() === 'q') return;
  }
}

// A terminal without a size gives 0 or undefined.
function sizeOf({ stderr }: Terminal): ScreenSize {
  return { columns: stderr.columns || 80, rows: stderr.rows || 24 };
}

function revealName(name: string): string {
  const line = revealText(name).replaceAll('\n', '\\n');
  return line.length > 80 ? `${line.slice(0, 80)}… (${name.length} characters)` : line;
}

async function askQuestions(
  terminal: Terminal,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<PermissionResult> {
  const style = createStyler(terminal, 'stderr');
  const screen = sizeOf(terminal);
  const answers: Record<string, string> = {};
  const questions = (Array.isArray(input['questions']) ? input['questions'] : []) as {
    question?: unknown;
    options?: { label?: unknown; description?: unknown }[];
  }[];
  await dropTyped(terminal, signal);
  for (const { question, options = [] } of questions) {
    noteLine(terminal, 'The model asks:');
    for (const row of layOutText(String(question), screen)) noteLine(terminal, style('bold', row));
    for (const [index, { label, description = '' }] of options.entries()) {
      noteLine(terminal, styled`  ${index + 1}. ${oneLine(label)} ${style('dim', oneLine(description))}`);
    }
    const answer = await askLine(terminal, 'A number, or your own words: ', signal);
    if (answer === undefined) return deny('The user did not answer.');
    const chosen = options[Number(answer.trim()) - 1];
    answers[String(question)] = chosen ? String(chosen.label) : answer.trim();
  }
  return answerQuestions(input, answers);
}

function oneLine(value: unknown): string {
  return revealText(String(value)).replaceAll('\n', '\\n');
}

// Asks the person at the terminal whether a tool may run; one question at a time, however many tools ask.
import { allow, answerQuestions, deny } from '../../answer/permissions/decisions.js';
import type { CanUseTool, PermissionResult } from '../../wire/protocol/control/permission-question.js';
import { shorten } from '../terminal/short-texts.js';
import { askLine, createStyler, isInteractive, noteLine, type Terminal } from '../terminal/terminal.js';

const LONGEST_INPUT = 500;

/** A permission callback that asks at the terminal. Where nobody is, it denies and says so. */
export function createAsker(terminal: Terminal, allowsAll: boolean): CanUseTool {
  const always = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  return async (name, input, { signal }) => {
    const isQuestion = name === 'AskUserQuestion';
    if (allowsAll && !isQuestion) return allow();
    if (!isInteractive(terminal)) return refuseUnasked(terminal, name);
    const turn = last.then(() => {
      if (isQuestion) return askQuestions(terminal, input, signal);
      return always.has(name) ? allow() : ask({ terminal, name, input, signal, always });
    });
    last = turn.catch(() => {});
    return turn;
  };
}

function refuseUnasked(terminal: Terminal, name: string): PermissionResult {
  noteLine(
    terminal,
    `Denied ${name}: nobody can be asked here. Allow it with --allow ${name}, or all with --yes.`,
  );
  return deny('The user cannot be asked for permission in this session.');
}

interface Question {
  terminal: Terminal;
  name: string;
  input: Record<string, unknown>;
  signal: AbortSignal;
  always: Set<string>;
}

async function ask({ terminal, name, input, signal, always }: Question): Promise<PermissionResult> {
  const style = createStyler(terminal, 'stderr');
  noteLine(
    terminal,
    `${style('yellow', 'The model wants to run')} ${style('bold', name)} ${shorten(input, LONGEST_INPUT)}`,
  );
  for (;;) {
    const answer = await askLine(terminal, 'Allow it? y(es), n(o), a(lways): ', signal);
    switch (answer?.trim().toLowerCase()) {
      case 'a':
      case 'always':
        always.add(name);
        return allow();
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

async function askQuestions(
  terminal: Terminal,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<PermissionResult> {
  const style = createStyler(terminal, 'stderr');
  const answers: Record<string, string> = {};
  const questions = (Array.isArray(input['questions']) ? input['questions'] : []) as {
    question?: unknown;
    options?: { label?: unknown; description?: unknown }[];
  }[];
  for (const { question, options = [] } of questions) {
    noteLine(terminal, style('bold', String(question)));
    for (const [index, { label, description = '' }] of options.entries()) {
      noteLine(terminal, `  ${index + 1}. ${String(label)} ${style('dim', String(description))}`);
    }
    const answer = await askLine(terminal, 'A number, or your own words: ', signal);
    if (answer === undefined) return deny('The user did not answer.');
    const chosen = options[Number(answer.trim()) - 1];
    answers[String(question)] = chosen ? String(chosen.label) : answer.trim();
  }
  return answerQuestions(input, answers);
}

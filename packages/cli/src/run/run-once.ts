// Runs one prompt to its end: for scripts, and where there is no terminal at which another prompt could be typed.
import { ResultError } from '@inboard/core/errors.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { LOGIN_ADVICE, outcomeOf, wantsLogin, type Outcome } from '@inboard/core/live/output/outcome.js';
import { query } from '@inboard/core/verbs/query/query.js';
import { followQuery } from '../agent/command-query.js';
import { printJson, type Terminal } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES } from '../terminal/usage-error.js';
import type { RunView } from './run-view.js';

export interface RunSetup {
  terminal: Terminal;
  options: QueryOptions;
  view: RunView;
}

/** Runs one prompt. The exit code is 1 if its result is an error. With `isJson`, messages are printed as JSON. */
export async function runOnce(
  prompt: string,
  { terminal, options, view, isJson }: RunSetup & { isJson: boolean },
): Promise<number> {
  view.wait('Starting the Claude CLI');
  let outcome: Outcome | undefined;
  try {
    await followQuery(query({ prompt, options }), terminal.signal, (message) => {
      if (isJson) printJson(terminal, message);
      else view.showMessage(message);
      if (message.type === 'result') outcome = outcomeOf(message);
    });
  } catch (error) {
    // The result that caused the error says more than the error.
    if (!(error instanceof ResultError) || !outcome) throw error;
  } finally {
    view.endWait();
  }
  terminal.signal.throwIfAborted();
  if (!outcome) throw new CommandError('NO_RESULT', 'The session ended without a result.');
  view.showOutcome(outcome);
  checkAccount(outcome);
  return outcome.ok ? EXIT_CODES.ok : EXIT_CODES.failed;
}

/**
 * Throws if the CLI has no account, because no turn can succeed then. The error gives advice of its own, because the
 * CLI's advice only applies at the CLI's own prompt.
 */
export function checkAccount({ ok, text }: Outcome): void {
  if (ok || !wantsLogin(text)) return;
  throw new CommandError(
    'NO_ACCOUNT',
    `No model was asked, because the CLI has no account that it can use; it says "${text}". ${LOGIN_ADVICE}`,
  );
}

// `inboard run`: an agent with the tools of a file, in the terminal.
import { ResultError } from '../../errors.js';
import { outcomeOf, type Outcome } from '../../live/output/outcome.js';
import { query, type Query } from '../../verbs/query/query.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import { followQuery } from '../agent/command-query.js';
import { loadOfflineModel } from '../agent/offline-model.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { printLine } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES } from '../terminal/usage-error.js';
import { loadTools } from '../tools-file/load-tools.js';
import { buildOptions } from './run-options.js';
import { RunView } from './run-view.js';

/** Runs one prompt to its end; exit code 0 when it ended well. */
export async function runAgent(input: CommandInput): Promise<number> {
  const { terminal, args } = input;
  const [file = '', prompt = ''] = args;
  const view = new RunView(terminal);
  const script = readText(input, 'offline-script') ?? terminal.env['INBOARD_OFFLINE_SCRIPT'];
  const { servers, warnings } = await loadTools(file, terminal.cwd);
  for (const { message } of warnings) view.warn(message);
  const options = await buildOptions(input, servers, view);
  const offline = script ? await loadOfflineModel(script, terminal.cwd) : undefined;
  const isolation = offline ? { env: offline.env, settingSources: [] } : {};
  let isOk = false;
  try {
    const q = query({ prompt, options: { ...options, ...isolation } });
    const outcome = await findOutcome(q, terminal.signal, (message) => {
      if (readSwitch(input, 'json')) printLine(terminal, JSON.stringify(message));
      else view.showMessage(message);
    });
    terminal.signal.throwIfAborted();
    if (!outcome) throw new CommandError('NO_RESULT', 'The session ended without a result.');
    view.showOutcome(outcome);
    isOk = outcome.ok;
  } finally {
    // After a run that failed, the rest of the script was of course not used.
    await offline?.close({ verify: isOk });
  }
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function findOutcome(
  q: Query,
  signal: AbortSignal,
  onMessage: (message: SDKMessage) => void,
): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined;
  try {
    await followQuery(q, signal, (message) => {
      onMessage(message);
      if (message.type === 'result') outcome = outcomeOf(message);
    });
  } catch (error) {
    // The result that led to it says more.
    if (!(error instanceof ResultError) || !outcome) throw error;
  }
  return outcome;
}

// `inboard run`: runs an agent with the tools of a file, in the terminal. This file decides where the prompt comes from and
// whether further prompts may follow.
import { text as readAll } from 'node:stream/consumers';
import type { Inspector } from '@inboard/inspector/inspect.js';
import type { Offline } from '@inboard/inboard/testing.js';
import { closeAndListLeft, loadOfflineModel } from '../agent/offline-model.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { isInteractive } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { loadTools } from '../tools-file/load-tools.js';
import { openRunInspector } from './run-inspector.js';
import { buildOptions, readSources } from './run-options.js';
import { runConversation } from './run-conversation.js';
import { runOnce } from './run-once.js';
import { RunView } from './run-view.js';

/** Runs one prompt to its end, or a conversation at a terminal. A prompt that fails gives exit code 1. */
export async function runAgent(input: CommandInput): Promise<number> {
  const { terminal, args } = input;
  const isJson = readSwitch(input, 'json');
  const mayTalk = canTalk(input);
  const prompt = await findPrompt(input, mayTalk);
  const view = new RunView(terminal, { hasStatus: !isJson });
  const script = readText(input, 'offline-script') ?? terminal.env['INBOARD_OFFLINE_SCRIPT'];
  const isStrict = readSwitch(input, 'strict');
  if (isStrict && !script) throw new UsageError('--strict needs a script: give --offline-script <file>.');
  const { servers, contextFor, warnings } = await loadTools(args[0] ?? '', terminal.cwd);
  for (const { message } of warnings) view.warn(message);
  const toolContext = await contextFor?.({ via: 'command' });
  const options = { ...(await buildOptions(input, servers, view)), toolContext };
  const offline = script ? await loadOfflineModel(script, terminal.cwd) : undefined;
  const isolation = offline ? { env: offline.options.env, settingSources: readSources(input) ?? [] } : {};
  const setup = { terminal, view, options: { ...options, ...isolation } };
  let code: number = EXIT_CODES.failed;
  let inspector: Inspector | undefined;
  try {
    inspector = await openRunInspector(input);
    code =
      prompt === undefined || mayTalk
        ? await runConversation(prompt, setup)
        : await runOnce(prompt, { ...setup, isJson });
  } finally {
    await inspector?.close();
    // The script need not be used up after a run that failed, or after a conversation. A person may leave a
    // conversation at any time.
    if (offline && (code !== EXIT_CODES.ok || mayTalk)) await offline.close({ verify: false });
    else if (offline) code = await closeScript(offline, view, isStrict);
  }
  return code;
}

// The answer was given, so steps that are left over are a failure only with --strict.
async function closeScript(offline: Offline, view: RunView, isStrict: boolean): Promise<number> {
  let code: number = EXIT_CODES.ok;
  await closeAndListLeft(offline, (sentence) => {
    const advice = isStrict ? '' : ' With --strict, the exit code would be 1.';
    view.warn(`The script was longer than the run: ${sentence}.${advice}`);
    if (isStrict) code = EXIT_CODES.failed;
  });
  return code;
}

// Whether a person is there to type prompts and read the answers.
function canTalk(input: CommandInput): boolean {
  const { terminal, args } = input;
  if (readSwitch(input, 'once') || readSwitch(input, 'json') || args[1] === '-') return false;
  return isInteractive(terminal) && terminal.stdout.isTTY === true;
}

/** The prompt from the command line, or else from the standard input. Undefined if the person is to type it. */
async function findPrompt({ terminal, args }: CommandInput, mayTalk: boolean): Promise<string | undefined> {
  const [, given] = args;
  if (given !== undefined && given !== '-') return given;
  if (mayTalk) return undefined;
  if (given === undefined && terminal.stdin.isTTY === true) {
    throw new UsageError('Give a prompt as the second argument, or "-" to read it from standard input.');
  }
  const text = (await readAll(terminal.stdin)).trim();
  if (text === '') throw new UsageError('There is no prompt: standard input is empty.');
  return text;
}

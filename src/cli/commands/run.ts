// `inboard run`: an agent with the tools of a file, in the terminal.
import { resolve } from 'node:path';
import { ResultError } from '../../errors.js';
import { outcomeOf, type Outcome } from '../../live/output/outcome.js';
import { query, type Query } from '../../verbs/query/query.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import type { FoundServers } from '../tools/find-servers.js';
import { loadTools } from '../tools/load-tools.js';
import { createAsker } from '../run/ask-permission.js';
import { loadOfflineModel, type OfflineModel } from '../run/offline-model.js';
import { RunView } from '../run/show-messages.js';
import { printLine, type Terminal } from '../terminal/terminal.js';
import { ToolHost } from '../tools/tool-host.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';

/** Runs one prompt to its end; exit code 0 when it ended well. */
export async function runAgent(input: CommandInput): Promise<number> {
  const { terminal, words } = input;
  const [file = '', prompt = ''] = words;
  const view = new RunView(terminal);
  const script = readText(input, 'offline-script') ?? terminal.env['INBOARD_OFFLINE_SCRIPT'];
  const { servers, warnings } = await loadTools(file, terminal.cwd);
  for (const { message } of warnings) view.warn(message);
  const options = await buildOptions(input, servers, view);
  const offline = script ? await loadOfflineModel(script, terminal.cwd) : undefined;
  let isOk = false;
  try {
    const outcome = await follow({
      q: query({ prompt, options: { ...options, ...keepOffline(offline) } }),
      terminal,
      onMessage: (message) => {
        if (readSwitch(input, 'json')) printLine(terminal, JSON.stringify(message));
        else view.showMessage(message);
      },
    });
    terminal.signal.throwIfAborted();
    if (!outcome) throw new CommandError('NO_RESULT', 'The session ended without a result.');
    view.showOutcome(outcome);
    isOk = outcome.ok;
  } finally {
    // A run that failed by itself is told as that; what it left of the script is no news.
    await offline?.close({ verify: isOk });
  }
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function buildOptions(
  input: CommandInput,
  servers: FoundServers,
  view: RunView,
): Promise<QueryOptions> {
  const { terminal } = input;
  const model = readText(input, 'model');
  const trace = readText(input, 'trace');
  const maxTurns = readText(input, 'max-turns');
  if (maxTurns !== undefined && !/^[1-9]\d*$/.test(maxTurns)) {
    throw new UsageError(`--max-turns must be a number of at least 1, and it is "${maxTurns}".`);
  }
  const isJson = readSwitch(input, 'json');
  return {
    mcpServers: servers,
    allowedTools: await nameAllowed(readTexts(input, 'allow'), servers, terminal.signal),
    canUseTool: createAsker(terminal, readSwitch(input, 'yes')),
    cwd: resolve(terminal.cwd, readText(input, 'cwd') ?? '.'),
    includePartialMessages: !isJson,
    onToolEvent: (event) => view.showToolEvent(event),
    onWarning: ({ code, message }) => {
      // That --allow goes before the question is the point of it.
      if (code !== 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED') view.warn(message);
    },
    ...chooseCli(input),
    model,
    trace: trace === undefined ? undefined : resolve(terminal.cwd, trace),
    maxTurns: maxTurns === undefined ? undefined : Number(maxTurns),
  };
}

/** The CLI named on the command line or in the environment; a home of its own would else lose the latter. */
export function chooseCli(input: CommandInput): Pick<QueryOptions, 'pathToClaudeCodeExecutable'> {
  const given = readText(input, 'cli');
  const path = given ?? input.terminal.env['INBOARD_CLI'];
  if (!path) return {};
  // A bare name is looked up on PATH; a path is meant from here, wherever the agent works.
  return { pathToClaudeCodeExecutable: /[\\/]/.test(path) ? resolve(input.terminal.cwd, path) : path };
}

function keepOffline(offline: OfflineModel | undefined): QueryOptions {
  return offline ? { env: offline.env, settingSources: [] } : {};
}

// A tool of the file may be called by its own name; anything else is a rule of the CLI's.
async function nameAllowed(
  rules: readonly string[],
  servers: FoundServers,
  signal: AbortSignal,
): Promise<string[]> {
  if (rules.length === 0) return [];
  const host = new ToolHost(servers);
  try {
    await host.open(signal);
    const tools = await host.listTools(signal);
    return rules.flatMap((rule) => {
      const named = tools.filter(({ listing }) => listing.name === rule).map(({ toolName }) => toolName);
      return named.length > 0 ? named : [rule];
    });
  } finally {
    host.close();
  }
}

interface Following {
  q: Query;
  terminal: Terminal;
  onMessage: (message: Parameters<RunView['showMessage']>[0]) => void;
}

async function follow({ q, terminal, onMessage }: Following): Promise<Outcome | undefined> {
  const { signal } = terminal;
  const stop = (): void => void q.close().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let outcome: Outcome | undefined;
  try {
    for await (const message of q) {
      onMessage(message);
      if (message.type === 'result') outcome = outcomeOf(message);
    }
  } catch (error) {
    // The result that led to it says more.
    if (!(error instanceof ResultError) || !outcome) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await q.close();
  }
  return outcome;
}

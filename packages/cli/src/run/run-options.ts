// Turns the command line of `inboard run` into options of a query.
import { resolve } from 'node:path';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { SettingSource } from '@inboard/core/wire/protocol/config/settings.js';
import { chooseCli } from '../agent/command-query.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { UsageError } from '../terminal/usage-error.js';
import type { FoundServers } from '../tools-file/find-servers.js';
import { ToolHost } from '../tools-file/tool-host.js';
import { createAsker } from './ask-permission.js';
import { isInspected } from './run-inspector.js';
import type { RunView } from './run-view.js';

const SOURCES: readonly SettingSource[] = ['user', 'project', 'local'];

/** Builds the options. Throws a UsageError for values that make no sense. */
export async function buildOptions(
  input: CommandInput,
  servers: FoundServers,
  view: RunView,
): Promise<QueryOptions> {
  const { terminal } = input;
  const model = readText(input, 'model');
  const trace = readText(input, 'trace');
  const maxTurns = readText(input, 'max-turns');
  if (maxTurns !== undefined && !/^[1-9]\d*$/.test(maxTurns)) {
    throw new UsageError(`--max-turns must be a number of at least 1, not "${maxTurns}".`);
  }
  const isJson = readSwitch(input, 'json');
  const ask = createAsker(terminal, readSwitch(input, 'yes'), isInspected(input));
  return {
    mcpServers: servers,
    allowedTools: await nameAllowed(readTexts(input, 'allow'), servers, terminal.signal),
    canUseTool: (...question) => view.whileAsking(() => ask(...question)),
    // This command has no hooks yet. If one is added and fails, the tool must be denied, not allowed.
    hookFailure: 'refuse',
    cwd: resolve(terminal.cwd, readText(input, 'cwd') ?? '.'),
    includePartialMessages: !isJson,
    onToolEvent: (event) => view.showToolEvent(event),
    onWarning: ({ code, message }) => {
      // This warning says that nobody is asked about tools in --allow. That is the purpose of --allow.
      if (code !== 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED') view.warn(input.inOwnWords(message));
    },
    ...chooseCli(input),
    model,
    trace: trace === undefined ? undefined : resolve(terminal.cwd, trace),
    maxTurns: maxTurns === undefined ? undefined : Number(maxTurns),
    settingSources: readSources(input) ?? ['user'],
  };
}

/**
 * The kinds of settings that `--setting-sources` names. Undefined without the option. Throws a UsageError for an
 * unknown name.
 */
export function readSources(input: CommandInput): SettingSource[] | undefined {
  const text = readText(input, 'setting-sources');
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const isSource = (name: string): name is SettingSource => SOURCES.includes(name as SettingSource);
  if (text.trim() === '') return [];
  if (names.every(isSource)) return names;
  throw new UsageError(`--setting-sources takes a list of ${SOURCES.join(', ')}, not "${text}".`);
}

/**
 * The rules for tools that run without a question. A tool of the file may be given by its own name, which is replaced by
 * the name that the model knows. Any other value is a rule of the CLI.
 */
export async function nameAllowed(
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
